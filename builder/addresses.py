"""Where a link may lead: relative addresses, and those of the web, of mail and of telephones."""

import html
import re
from urllib.parse import urlsplit

SCHEMES = ("http", "https", "mailto", "tel")
WEB_HINT = "write it as https://example.org/page, a space as %20"

_HOST = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?")


def web_fault(address: str) -> str | None:
    """What is wrong with a whole address on the web: a rule, or None.

    >>> web_fault("https://a b/")
    'has a space or a sign in it that no address has'
    """
    if not re.match("https?://", address, re.IGNORECASE):
        return "must start with https:// or http://"
    if re.search(r"[\s<>\"\\^`{|}\x00-\x1f]", address):
        return "has a space or a sign in it that no address has"
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return "is no address of the web"
    return None if _HOST.fullmatch(host) or ":" in host else "names no host"


def link_fault(address: str) -> tuple[str, str] | None:
    """What is wrong with where a link leads, once a browser has decoded it: a rule and a hint.

    >>> link_fault("java&#115;cript:alert(1)")
    ('javascript: addresses are not taken', 'take a relative one, or http, https, mailto, tel')
    """
    decoded = html.unescape(address)
    plain = re.sub(r"[\x00-\x20]+", "", decoded).lower()
    scheme = re.match(r"([a-z][a-z0-9+.-]*):", plain)
    if not plain or (scheme and scheme[0] == plain and scheme[1] in SCHEMES):
        return "leads nowhere", "write an address"
    if scheme and scheme[1] not in SCHEMES:
        return f"{scheme[1]}: addresses are not taken", f"take a relative one, or {', '.join(SCHEMES)}"
    if plain[0] in "/\\":
        return "breaks where the page lives in a folder", "write a relative address or a whole one"
    if scheme and scheme[1].startswith("http") and (rule := web_fault(decoded.strip())):
        return rule, WEB_HINT
    return None
