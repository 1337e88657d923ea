"""The name under which a run is kept."""

from collections.abc import Mapping
from hashlib import blake2b

from unknot.model.run import OrderRequest
from unknot.model.suite import TestId
from unknot.store.digest import DIGEST_BYTES, digest_of, encoded


class RunKeys:
    """Turns a request into the key of its run: environment, attempt, and each test with its fingerprint, in order.

    Guarantees that editing a test changes the keys of the orders that involve it, and no others. The fingerprints
    are copied: changing the mapping later changes nothing here.
    """

    def __init__(self, fingerprints: Mapping[TestId, str], environment: str) -> None:
        self._environment = encoded(environment)
        self._tests = {
            test: digest_of((encoded(test), encoded(fingerprint))) for test, fingerprint in fingerprints.items()
        }

    def key(self, request: OrderRequest) -> bytes:
        """Raises KeyError for a test without a fingerprint: answering for it could be answering for an older text.

        Cost: one dictionary look-up and 16 hashed bytes per test.
        """
        hasher = blake2b(digest_size=DIGEST_BYTES)
        hasher.update(digest_of((self._environment, encoded(str(request.attempt)))))
        # All parts have the same length, so joining them is as unambiguous as writing each length.
        hasher.update(b"".join([self._tests[test] for test in request.order]))
        return hasher.digest()
