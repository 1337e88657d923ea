"""Talking to a server of this machine, and to no other."""

import ipaddress
import urllib.request


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirection is an answer; where it leads to may be another machine."""

    def redirect_request(self, *_: object) -> None:
        return None


opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())
"""Never through a proxy, and never to where an answer points."""


def is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
