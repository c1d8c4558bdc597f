"""Text for people, ready for translation."""

import gettext
from pathlib import Path

_translation = gettext.translation("kosti", Path(__file__).parent / "locale", fallback=True)

_ = _translation.gettext
"""Translate a sentence; placeholders are filled in afterwards with ``format``."""

plural = _translation.ngettext
"""Translate a sentence that depends on a number."""
