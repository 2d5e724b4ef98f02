"""Records of games in a real browser: in by a file or by drag and drop, out by a button."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sgfmill import sgf

from montego.web.messages.limits import MOST_UPLOAD_BYTES

if TYPE_CHECKING:
    from browser_page import Tab

RECORD = (
    b"(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]PB[Ann]PW[Bob];B[ee];W[cc]"
    b"(;B[gg]C[Good.];W[];B[ff])(;B[cg];W[gc](;B[aa])(;B[ba])))"
)

DROP = """
([name, text]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    const target = document.querySelector("main");
    for (const type of ["dragenter", "dragover"]) {
        target.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer}));
    }
    return () => target.dispatchEvent(
        new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer}));
}
"""


def choose_file(tab: Tab, data: bytes, name: str = "game.sgf") -> None:
    """Open a file with the button."""
    with tab.page.expect_file_chooser() as chooser:
        tab.button("Open SGF").click()
    chooser.value.set_files({"name": name, "mimeType": "application/x-go-sgf", "buffer": data})


def drop_file(tab: Tab, data: bytes, name: str = "game.sgf") -> None:
    """Drag a file over the page, and let it fall."""
    drop = tab.page.evaluate_handle(DROP, [name, base64.b64encode(data).decode()])
    tab.page.get_by_text("Drop the SGF file to open it").wait_for()
    drop.evaluate("(drop) => drop()")


def download(tab: Tab) -> bytes:
    tab.button("Share").click()
    dialog = tab.page.get_by_role("dialog", name="Share")
    with tab.page.expect_download() as started:
        dialog.get_by_role("link", name=re.compile("SGF")).click()
    tab.page.keyboard.press("Escape")
    assert started.value.suggested_filename.endswith(".sgf")
    return Path(started.value.path()).read_bytes()


def lines_of(data: bytes) -> list[Any]:
    """The moves and comments of all variations, by a reader that is not our own."""

    def below(node: Any) -> Any:
        comment = node.get("C") if node.has_property("C") else ""
        return (node.get_move(), comment, [below(child) for child in node])

    return [below(child) for child in sgf.Sgf_game.from_bytes(data).get_root()]


def test_a_record_comes_in_by_a_file_and_goes_out_the_same(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    choose_file(tab, RECORD)
    expect(tab.region("Players")).to_contain_text("Ann")
    expect(tab.region("Players")).to_contain_text("Bob")
    expect(tab.page.get_by_text("Japanese rules · komi 6.5")).to_be_visible()

    tab.select("Moves")
    expect(tab.page.get_by_role("treeitem")).to_have_count(10)
    out = download(tab)
    assert lines_of(out) == lines_of(RECORD)
    assert sgf.Sgf_game.from_bytes(out).get_player_name("b") == "Ann"


def test_a_record_is_dropped_on_the_page(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game()
    tab.play("C3")
    before = tab.game
    drop_file(tab, RECORD)
    expect(tab.region("Players")).to_contain_text("Ann")
    expect(tab.page.get_by_text("Drop the SGF file")).to_be_hidden()
    assert tab.game != before

    # What is played on the page is in the record, too, and comes first as the latest line.
    tab.expect_last("F4")
    tab.button("One move back").click()
    tab.button("One move back").click()
    tab.expect_last("G3")
    tab.play("D3")
    added = RECORD.replace(b";W[];B[ff]", b"(;W[dg])(;W[];B[ff])")
    assert lines_of(download(tab)) == lines_of(added)


def test_a_bad_file_is_refused_in_words(tab: Tab) -> None:
    tab.forgiven.append("the server responded with a status of 422")
    tab.show_start()
    for name, data, words in (
        ("letter.sgf", b"Dear Sir, this is not a game.", r"letter\.sgf: \w.+[.?]"),
        ("nothing.sgf", b"", "is empty"),
        ("broken.sgf", b"(;GM[1]SZ[9];B[ee", r"broken\.sgf: .*cut off"),
        ("othello.sgf", b"(;GM[2]SZ[8];B[d3])", r"othello\.sgf: .*Go"),
        ("board.sgf", b"(;GM[1]SZ[99];B[ee])", r"board\.sgf: .*(size|board)"),
        ("cat.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), r"cat\.png: \w.+[.?]"),
        ("endless.sgf", b"(;GM[1]" + b" " * MOST_UPLOAD_BYTES + b")", "is too large"),
    ):
        choose_file(tab, data, name)
        tab.expect_alert(words)
    drop_file(tab, b"Dear Sir, neither is this.", "reply.sgf")
    tab.expect_alert(r"reply\.sgf: \w.+[.?]")
    assert tab.page.url.endswith("/#/")


def test_moves_that_the_rules_forbid_are_mended_or_refused(tab: Tab) -> None:
    """Records break rules now and then; whatever becomes of one, the page says it."""
    tab.forgiven.append("the server responded with a status of 422")
    tab.show_start()
    choose_file(tab, b"(;GM[1]SZ[9];B[ee];W[ee];B[cc])", "twice.sgf")
    told = tab.page.get_by_role("status").or_(tab.alerts)
    told.filter(has_text=re.compile(r"\bE5\b|move 2|illegal|occupied|stone")).first.wait_for()
