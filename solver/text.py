"""Text for people, ready for translation."""

import gettext
import os

_FOLDER = os.path.join(os.path.dirname(__file__), "locale")

# Without any translation Python need not find out the user's language.
_translation = (
    gettext.translation("kosti", _FOLDER, fallback=True) if os.path.isdir(_FOLDER) else gettext.NullTranslations()
)

_ = _translation.gettext
"""Translate a sentence; placeholders are filled in afterwards with ``format``."""

plural = _translation.ngettext
"""Translate a sentence that depends on a number."""
