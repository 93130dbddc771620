"""The command ``kernelkit``, which comes with the package: each of its words is a file of ``tools/``."""

import argparse
import sys

from kernelkit.course.tools import check, open as opening, places

HELP = {  # what a word does, and an example of it
    "open": (
        "open a notebook in JupyterLab; those of an installed package are first copied into ./kernel-course, and one "
        "that is there already is never overwritten",
        "kernelkit open 07",
    ),
    "check": ("say whether everything is there that the notebooks need", "kernelkit check"),
    "site": ("build the pages that need no Python", "kernelkit site build/site"),
    "copies": ("write copies of the notebooks for a class", "kernelkit copies student my-class"),
    "report": ("say what a class made of the exercises, from the stored outputs", "kernelkit report handed-in"),
    "refresh": ("run notebooks and store them ready to commit", "kernelkit refresh 02-kernel-trick"),
    "minutes": ("say how long a first reading takes", "kernelkit minutes 02-kernel-trick"),
}


def main(arguments=None):
    """Do what the command line asks for; without a word it opens the first notebook."""
    asked = parser().parse_args((sys.argv[1:] if arguments is None else arguments) or ["open"])
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal that cannot write σ
    try:
        places.refuse_elsewhere()
        asked.do(asked)
    except (ValueError, RuntimeError, OSError) as error:
        sys.exit(str(error))


def parser():
    """The words and what belongs to each."""
    made = argparse.ArgumentParser("kernelkit", description="The course on the kernel trick.")
    words = made.add_subparsers(metavar="WORD", required=True)

    def word(name, do):
        about, example = HELP[name]
        one = words.add_parser(name, help=about, description=f"{about}.", epilog=f"example: {example}")
        one.set_defaults(do=do)
        return one

    one = word("open", _open)
    one.add_argument("begins", nargs="?", default="00", help="how the notebook's name begins; without it, 00")
    one.add_argument("--folder", default=opening.PLACE, help="for the copies, in place of kernel-course")
    word("check", _check)
    one = word("site", _site)
    one.add_argument("folder")
    _named(one)
    one = word("copies", _copies)
    one.add_argument("kind", choices=("student", "solutions", "formulas", "nbgrader"))
    one.add_argument("folder", help="where no file is ever overwritten")
    _named(one)
    one = word("report", _report)
    one.add_argument("folder", help="what the class handed in")
    one.add_argument("--class", dest="names", metavar="FILE", help="with the names of the class, one a line")
    one.add_argument("--csv", metavar="FILE", help="for the results, a line for each student and exercise")
    one.add_argument("--picture", metavar="FILE", help=".png, .svg or .pdf; without it, FOLDER-report.png")
    one.add_argument("--only", metavar="NUMBERS", help="of exercises, such as 03.1,03.2")
    _named(word("refresh", _refresh))
    one = word("minutes", _minutes)
    one.add_argument("--write", action="store_true", help="put the time into the openings")
    _named(one)
    return made


def _named(word):
    word.add_argument("names", nargs="*", metavar="NOTEBOOK", help="such as 02-kernel-trick; without it, all")


def _open(asked):
    check.refuse_without("course", "The course")
    opening.open_course(asked.begins, asked.folder)


def _check(asked):
    check.check()


def _site(asked):
    check.refuse_without("site", "The site")
    from kernelkit.course.tools import site

    site.build(asked.folder, asked.names)


def _copies(asked):
    check.refuse_without("course", "A copy")
    from kernelkit.course.tools import copies

    copies.write(asked.kind, asked.folder, asked.names)


def _report(asked):
    check.refuse_without("course", "The report")
    from kernelkit.course.tools import report

    report.report(asked.folder, asked.names, asked.csv, asked.picture, asked.only)


def _refresh(asked):
    check.refuse_without("course", "Running a notebook")
    from kernelkit.course.tools import refresh

    refresh.refresh_all(asked.names)


def _minutes(asked):
    check.refuse_without("course", "Reading a notebook")
    from kernelkit.course.tools import minutes

    minutes.tell(asked.names, asked.write)


if __name__ == "__main__":
    main()
