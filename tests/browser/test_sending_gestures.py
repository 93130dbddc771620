"""In which order the page sends what a hand does: ``sender`` of picture.js, and a kernel that answers when told to."""

import pytest
from browser.lab import chromium

from kernelkit.course.panel.picture import Picture

KERNEL = """async (source) => {
    const { sender } = await import('data:text/javascript,' + encodeURIComponent(source + ' export { sender };'));
    const model = { sent: [], heard: null, send(gesture, { iopub }) { this.sent.push(gesture); this.heard = iopub; } };
    const say = (state) => model.heard.status({ content: { execution_state: state } });
    Object.assign(window, { model, post: sender(model), answer: () => { say('busy'); say('idle'); } });
}"""


@pytest.fixture(scope="module")
def page():
    with chromium() as page:
        yield page


@pytest.fixture
def sent(page):
    """What has left so far, as (number of the gesture, place), after a line of JavaScript."""
    page.evaluate(KERNEL, Picture._esm)

    def after(line):
        page.evaluate(f"() => {{ {line} }}")
        return page.evaluate("() => model.sent.map(({ id, x }) => [id, x])")

    return after


def test_what_has_not_left_is_overtaken_by_what_the_same_gesture_does_next(sent):
    assert sent("for (const x of [1, 2, 3, 4]) post({ id: 1, x });") == [[1, 1]]
    assert sent("answer();") == [[1, 1], [1, 4]]
    assert sent("answer();") == [[1, 1], [1, 4]]
    assert sent("post({ id: 1, x: 5 });")[-1] == [1, 5]


def test_nothing_is_lost_between_two_quick_gestures(sent):
    sent("post({ id: 1, x: 1 }); post({ id: 1, x: 2 }); post({ id: 1, x: 3, done: true });")
    sent("post({ id: 2, x: 7 }); post({ id: 2, x: 8, done: true }); post({ id: 3, x: 9, done: true });")
    for _ in range(3):
        sent("answer();")
    assert sent("") == [[1, 1], [1, 3], [2, 8], [3, 9]]


def test_the_next_one_leaves_shortly_before_the_kernel_is_done_and_only_once(page, sent):
    sent("post({ id: 1, x: 1 }); window.one = model.heard; one.status({ content: { execution_state: 'busy' } });")
    page.wait_for_timeout(300)
    sent("one.status({ content: { execution_state: 'idle' } }); post({ id: 1, x: 2 }); window.two = model.heard;")
    assert sent("two.status({ content: { execution_state: 'busy' } }); post({ id: 1, x: 3 });") == [[1, 1], [1, 2]]
    page.wait_for_function("() => model.sent.length === 3", timeout=5000)
    assert len(sent("two.status({ content: { execution_state: 'idle' } }); post({ id: 1, x: 4 });")) == 3


def test_a_kernel_that_never_answers_gets_one_message(sent):
    assert sent("for (let x = 1; x < 100; x++) post({ id: x, x });") == [[1, 1]]
