"""A model's parameters by name, down into the kernels, feature maps and models they hold.

``kernel__sigma`` replaces the frozen kernel by one with that sigma; ``kernel__left__sigma`` reaches into a sum.
"""

import dataclasses
import inspect


class Parameters:
    """What ``__init__`` stored, by name; the parts of kernels and of models inside as kernel__sigma."""

    @classmethod
    def _names(cls):
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep=True):
        """The constructor's arguments, and with deep also the fields of kernels, as kernel__sigma."""
        params = {name: getattr(self, name) for name in self._names()}
        if deep:
            for name in list(params):
                params |= _fields(name, params[name])
        return params

    def set_params(self, **params):
        """Set parameters by name, whole kernels before their parts; kernel__sigma=2 gives the model a new kernel."""
        for path, value in sorted(params.items(), key=lambda item: item[0].count("__")):
            name, *rest = path.split("__")
            if name not in self._names():
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {self._names()!r}."
                )
            setattr(self, name, _replaced(getattr(self, name), rest, value, path) if rest else value)
        return self

    def __repr__(self):
        parameters = inspect.signature(type(self).__init__).parameters
        changed = [f"{n}={getattr(self, n)!r}" for n in self._names() if getattr(self, n) != parameters[n].default]
        return f"{type(self).__name__}({', '.join(changed)})"


def _fields(prefix, value):
    """The fields of a frozen kernel or feature map, and of the parts it is made of; the parameters of a model."""
    if isinstance(value, Parameters):
        return {f"{prefix}__{name}": part for name, part in value.get_params().items()}
    if not dataclasses.is_dataclass(value):
        return {}
    params = {}
    for f in dataclasses.fields(value):
        name, part = f"{prefix}__{f.name}", getattr(value, f.name)
        params |= {name: part} | _fields(name, part)
    return params


def _replaced(value, path, new, whole_path):
    """A copy of a frozen value with one part, deep inside, replaced; a model inside a model is set in place."""
    if isinstance(value, Parameters):
        return value.set_params(**{"__".join(path): new})
    name, *rest = path
    names = [f.name for f in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    if name not in names:
        raise ValueError(f"Invalid parameter {whole_path!r}: {value!r} has no part {name!r}, only {names!r}.")
    return dataclasses.replace(value, **{name: _replaced(getattr(value, name), rest, new, whole_path) if rest else new})
