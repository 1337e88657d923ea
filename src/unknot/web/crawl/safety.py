"""What a crawl leaves alone, and why."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from unknot.model.web.action import Action
from unknot.web.crawl.addresses import language_template

CHANGES_DATA = "changes data"
_ACCOUNT = "account|profile|myself|konto|profil|compte|cuenta|conta"
_SEND = "senden|abschicken|envoyer|enviar|invia|verzenden|versturen"
"""In these languages, buttons of forms say nothing but this: it counts together with a message only."""

_MESSAGE = "mail|nachricht|einladung|message|invit|mensaje|messaggio|mensagem|convite|bericht"


def _then(first: str, second: str) -> str:
    """The one, and the other anywhere behind it. Linear in the text, which `first.*second` is not: only the first place
    is tried, behind which is all that is behind any other."""
    return rf"\A(?s:(?>.*?{first}).*{second})"


_SPARED = (
    (
        "logs out",
        re.compile(
            r"\b(log|sign)[ _-]?(out|off)\b|\b(abmelden|ausloggen|d[eé]connexion|se d[eé]connecter|uitloggen)\b"
            r"|\b(afmelden|cerrar sesi[oó]n|tancar sessi[oó]|desconectar(se)?|esci|disconnetti|sair)\b"
            r"|\b(terminar|encerrar) sess[aã]o\b|выйти|wyloguj|odhlásit|çıkış|ログアウト|退出|登出|로그아웃"
        ),
    ),
    (
        "pays",
        re.compile(
            r"\b(pay|buy|purchase|check ?out|order now|place order|subscribe|donate)\b"
            r"|\b(bezahlen|kaufen|zahlungspflichtig|spenden|payer|acheter|pagar|comprar|paga|acquista|betalen|kopen)\b"
        ),
    ),
    (
        "sends",
        re.compile(
            r"\b(send|e-?mail|invite|share|publish|notify)\b"
            r"|\b(einladen|teilen|ver[oö]ffentlichen|inviter|partager|publier|invitar|compartir|publicar)\b"
            r"|\b(invita|condividi|pubblica|convidar|compartilhar|partilhar|uitnodigen|delen)\b"
            "|" + _then(rf"\b({_SEND})\b", rf"\b({_MESSAGE})") + "|" + _then(rf"\b({_MESSAGE})", rf"\b({_SEND})\b")
        ),
    ),
    (
        "deletes an account",
        re.compile(
            "|".join(
                (
                    _then(r"\b(delete|close|remove|deactivate|cancel)\b", rf"\b({_ACCOUNT})\b"),
                    _then(rf"\b({_ACCOUNT})\b", r"\b(l[oö]schen|schlie(ss|ß)en|k[uü]ndigen|verwijderen)\b"),
                    _then(
                        r"\b(supprimer|fermer|eliminar|cerrar|borrar|elimina|chiudi|excluir|apagar|verwijder)\b",
                        rf"\b({_ACCOUNT})\b",
                    ),
                )
            )
        ),
    ),
)
_DELETES = re.compile(
    r"\b(delete|remove|destroy|drop|purge|erase|wipe|discard|trash|retire)\b"
    r"|\b(l[oö]schen|entfernen|supprimer|effacer|eliminar|borrar|elimina|cancella|excluir|apagar|remover|verwijder(en)?)\b"
)
_LOGS_OUT = re.compile(r"(^|[/?&=._-])(log|sign)[_-]?(out|off)($|[/?&=._-])", re.IGNORECASE)
"""In addresses, ids, classes and titles: buttons that log out often have a picture and no name."""

_DELETES_ACCOUNT = re.compile(
    r"(delete|close|remove|deactivate)[/_-]?(my[/_-]?)?(account|profile)(?![/_-]?(pic|photo|im))|(account|profile)[/_-](delete|close|deactivate)",
    re.IGNORECASE,
)
_BY_ADDRESS = (("logs out", _LOGS_OUT), ("deletes an account", _DELETES_ACCOUNT))
_TELLING = frozenset({"id", "class", "name", "title", "data-testid"})


@dataclass(frozen=True)
class Safety:
    """`origins` are those that links may lead to. `writes`: forms may be sent and things deleted, because the
    application is put back afterwards, or because the user says so. `allowed` are words of actions that would be spared
    otherwise."""

    origins: frozenset[str]
    writes: bool
    allowed: tuple[str, ...] = ()

    def why_not(self, action: Action, address: str) -> str:
        """Why the action is left alone on the page at this address; empty if it is not."""
        name = action.name.lower().replace("_", " ")
        if action.href and (why := self._link(action.href, address)):
            return why
        if any(word.lower() in name for word in self.allowed):
            return ""
        for why, pattern in _SPARED:
            if pattern.search(name):
                return why
        for why, pattern in _BY_ADDRESS:
            if any(map(pattern.search, _hints(action))):
                return why
        if language_template(action.href):
            # All pages would have other words, and be taken for other pages.
            return "changes the language"
        if not self.writes and (action.writes or _DELETES.search(name)):
            return CHANGES_DATA
        return ""

    def _link(self, href: str, address: str) -> str:
        try:
            parts = urlsplit(urljoin(address, href))
            if f"{parts.scheme}://{parts.netloc}" in self.origins:
                # The origin of an instance has a placeholder for its port.
                return ""
            port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        except ValueError:
            return "leads nowhere"
        if parts.scheme not in ("http", "https"):
            return "" if parts.scheme == "javascript" else f"is a {parts.scheme} link"
        return "" if f"{parts.scheme}://{parts.hostname}:{port}" in self.origins else "leads to another site"


def _hints(action: Action) -> Iterator[str]:
    """What else says what a button is for."""
    for each in (action.href, action.sends_to):
        with suppress(ValueError):
            yield urlsplit(each).path
            yield urlsplit(each).query
    for locator in action.locators:
        if locator.attribute and locator.attribute[0] in _TELLING:
            yield locator.attribute[1].replace(" ", "-")
