"""How an exported chart looks, and which looks are refused."""

import pytest

from builder.charts import LIGHT, contrast
from builder.errors import RequestError
from builder.look import check_room, choose_look


def look(theme="", background="", size="16:9", scale=1):
    return choose_look(theme, background, size, scale)


@pytest.mark.parametrize(
    ("theme", "background", "name", "ground"),
    [
        ("", "", "light", "#ffffff"),
        ("light", "", "light", "#ffffff"),
        ("dark", "", "dark", "#000000"),
        ("", "white", "light", "#ffffff"),
        ("", "black", "dark", "#000000"),
        ("", "#1F2937", "dark", "#1f2937"),
        ("", "#fed", "light", "#ffeedd"),
        ("dark", "transparent", "dark", "transparent"),
    ],
)
def test_theme_and_background_go_together(theme, background, name, ground):
    """Each is chosen by the other where it is not said: light ink on dark, and dark ink on light."""
    chosen = look(theme, background)
    assert (chosen.name, chosen.background) == (name, ground)


@pytest.mark.parametrize("background", ["white", "black", "#1f2937", "#fef3c7", "#0b3d2e", "#eeeeee"])
def test_text_can_be_read(background):
    """Every ink of the theme chosen has a contrast of 4.5:1 or more on the background."""
    theme = look(background=background).theme
    for ink in (theme.ink, theme.muted, theme.prefill, theme.decode):
        assert contrast(ink, theme.paper) >= 4.5


@pytest.mark.parametrize(
    ("theme", "background", "message"),
    [
        (
            "dark",
            "white",
            "--theme dark on --background white: text would have a contrast of ",
        ),
        ("light", "#111", "--theme light on --background #111: text would have a contrast of "),
        ("", "#888888", "--background #888888: grey or coloured text would have a contrast of "),
        ("dark", "#888888", "--background #888888: grey or coloured text would have a contrast of "),
    ],
)
def test_dark_on_dark_never(theme, background, message):
    """What nobody could read is refused, with the contrast that it would have and the way out."""
    with pytest.raises(RequestError) as caught:
        look(theme, background)
    text = str(caught.value)
    assert text.startswith(message)
    assert "needs 4.5:1" in text
    way = "take a lighter or a darker colour" if "#888" in background else "write --theme "
    assert way in text
    assert "\n" not in text


def test_which_text_cannot_be_read():
    """On this blue the dark theme's ink has 4.8:1; its grey has 2.3:1, and the message says which fails."""
    assert contrast("#e9e5dc", "#336699") > 4.5
    with pytest.raises(
        RequestError, match=r"^--background #336699: grey or coloured text would have .* 2\.3:1 at best"
    ):
        look(background="#336699")


def test_a_transparent_picture_needs_its_theme():
    """What lies behind is not known here, so its user says whether it is light or dark."""
    with pytest.raises(RequestError, match="--background transparent: needs --theme light or dark"):
        look(background="transparent")


@pytest.mark.parametrize("colour", ["#12", "#12345", "#gggggg", "rgb(0,0,0)", "mauve", "#fff; x", "'"])
def test_no_colour(colour):
    """A colour that cannot be read is refused with the forms that can."""
    with pytest.raises(RequestError, match="is no colour; write white, black, transparent or #rrggbb"):
        look(background=colour)


@pytest.mark.parametrize(
    ("size", "pixels"),
    [("16:9", (1920, 1080)), ("4:3", (1440, 1080)), ("square", (1080, 1080)), ("1200X900", (1200, 900))],
)
def test_sizes(size, pixels):
    """A slide is 1,080 pixels high by its name; any other size is given in pixels."""
    assert look(size=size).size == pixels


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ("16x", "is no size; write 16:9, 4:3, square, or one as 1320x960"),
        ("16x9", "--size 16x9: is no size; write 16:9"),
        ("4X3", "--size 4X3: is no size; write 4:3"),
        ("0x900", "is no size"),
        ("-9x900", "is no size"),
        ("1920 x 1080", "is no size"),
        ("3840x2160", "at most 1920 pixels either way; for more pixels of the same slide give --scale"),
        ("99999999x9", "is no size"),
    ],
)
def test_no_size(size, message):
    """A size that is none, or larger than a slide, is refused with what to write."""
    with pytest.raises(RequestError, match="--size") as caught:
        look(size=size)
    assert message in str(caught.value)


@pytest.mark.parametrize("scale", [0, -1, 0.05, 4.5, float("nan"), float("inf")])
def test_no_scale(scale):
    """A picture has from a tenth to four times the usual pixels either way."""
    with pytest.raises(RequestError, match=r"must lie between 0\.1 and 4"):
        look(scale=scale)


def test_a_chart_needs_room():
    """A roofline needs 1,080 by 960 pixels for its labels; a timeline does with less height."""
    low = look(size="1200x750")
    check_room("timeline", low)
    with pytest.raises(RequestError) as caught:
        check_room("roofline", low)
    assert str(caught.value) == (
        "--size 1200x750: is too small for roofline, which needs at least 1080x960 of a slide 1920 wide"
    )


@pytest.mark.parametrize(
    ("size", "way"),
    [
        (
            "1280x720",
            "; for a picture of so many pixels write --size 16:9 --scale 0.6667",
        ),  # 1920 / 1280 = 1080 / 720 = 1.5
        ("1366x768", "--size 16:9 --scale 0.7115"),  # 1080 * 1366 / 1920 = 768.4
        ("960x720", "--size 4:3 --scale 0.6667"),
        ("540x540", "--size square --scale 0.5"),
        ("1000x500", "of a slide 1920 wide"),
        ("160x90", "of a slide 1920 wide"),  # a scale below 0.1
    ],
)
def test_a_small_size_of_a_slide_s_ratio(size, way):
    """Who takes slide units for pixels is told how to get a whole slide in so many, if that can be."""
    with pytest.raises(RequestError) as caught:
        check_room("roofline", look(size=size))
    assert str(caught.value).endswith(way)


@pytest.mark.parametrize(
    ("options", "suffix"),
    [
        ({}, "light"),
        ({"theme": "dark"}, "dark"),
        ({"background": "black"}, "dark"),
        ({"background": "#1f2937"}, "dark-on-1f2937"),
        ({"theme": "light", "background": "transparent"}, "light-on-transparent"),
        ({"size": "4:3", "scale": 2}, "light-4x3-at-2x"),
        ({"size": "1920x1080"}, "light"),
        ({"size": "1200x960", "scale": 0.5}, "light-1200x960-at-0.5x"),
    ],
)
def test_file_names_say_what_is_unusual(options, suffix):
    """The name of a file has the theme, and of the rest what is not as it always is."""
    assert look(**options).suffix == suffix


def test_hairlines_show_on_every_background():
    """They are mixed from ink and background, so that they are neither lost nor loud."""
    for background in ("#ffffff", "#000000", "#1f2937", "#fef3c7"):
        assert 1.15 < contrast(look(background=background).theme.rule, background) < 2


def test_the_light_theme_keeps_the_page_s_colours():
    """A picture on white has the phases' colours of the page."""
    theme = look().theme
    assert (theme.prefill, theme.decode, theme.ink) == (LIGHT.prefill, LIGHT.decode, LIGHT.ink)
