"""The file of each helper of the run-time library, and the import lines of a module.

A module imports its helpers from their files, not from the library's index. The bundler then reads only these files,
which halves its time. A test compares the table with the sources.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

INDEX = "awning/template"
"""The index of the library. A helper is imported from it if the helper has another name in its own file."""

_FILES = {
    "awning/escape/css": """
        escapeCssArgument escapeCssString escapeCssValue escapeCssValueInElement
    """,
    "awning/escape/css_url": """
        escapeCssUrl escapeCssUrlEncoded escapeCssUrlPart escapeCssUrlPath escapeCssUrlRoot
        escapeCssUrlRootEncoded
    """,
    "awning/escape/json": """
        escapeJson
    """,
    "awning/escape/markup": """
        decode escapeMarkupInDoubleQuotes escapeMarkupInRcdata escapeMarkupInSingleQuotes
    """,
    "awning/escape/srcset": """
        escapeSrcset escapeSrcsetDescriptor
    """,
    "awning/escape/text": """
        escapeText
    """,
    "awning/escape/url": """
        escapeImageUrl escapeUrl escapeUrlEncoded escapeUrlPart escapeUrlPath escapeUrlRest
        escapeUrlRoot escapeUrlRootEncoded escapeUrlSegment
    """,
    "awning/template/access": """
        field get item keyed sliced
    """,
    "awning/template/arithmetic": """
        add div floordiv mod modulo mul neg pos pow sub
    """,
    "awning/template/bounded": "bounded within",
    "awning/template/compare": """
        contains eq order
    """,
    "awning/template/concat": """
        concat
    """,
    "awning/template/filters/intl": """
        filter_date filter_datetime filter_money filter_number filter_percent filter_relative
        filter_time filter_unit
    """,
    "awning/template/filters/sequences": """
        attribute_getter filter_attr filter_batch filter_dictsort filter_first filter_groupby
        filter_items filter_join filter_last filter_list filter_map filter_max filter_min
        filter_reverse filter_select filter_slice filter_sort filter_sum filter_unique
    """,
    "awning/template/filters/text": """
        filter_capitalize filter_center filter_escape filter_forceescape filter_format filter_indent
        filter_lower filter_replace filter_safe filter_string filter_striptags filter_title
        filter_trim filter_truncate filter_upper filter_wordcount
    """,
    "awning/template/filters/values": """
        filter_abs filter_default filter_filesizeformat filter_float filter_int filter_length
        filter_round
    """,
    "awning/template/filters/web": """
        filter_tojson filter_urlencode filter_urlize filter_wordwrap filter_xmlattr
    """,
    "awning/template/format/brace": """
        method_format
    """,
    "awning/template/globals": """
        cycler joiner method_next method_reset namespace_of range set_attribute shadowed
    """,
    "awning/template/declared": "declared_number declared_string",
    "awning/template/is": """
        is_boolean is_callable is_defined is_divisibleby is_escaped is_even is_false is_float is_in
        is_integer is_iterable is_lower is_mapping is_none is_number is_odd is_sameas is_sequence
        is_string is_true is_undefined is_upper
    """,
    "awning/template/iterate": """
        iterate unpack
    """,
    "awning/template/located": """
        located
    """,
    "awning/template/loop": """
        changed cycle loop_of step
    """,
    "awning/template/macro": """
        call keywords macro missing
    """,
    "awning/template/mapping": """
        dict dict_of
    """,
    "awning/template/markup": """
        Markup markup
    """,
    "awning/template/methods/case": """
        method_capitalize method_casefold method_islower method_isupper method_lower method_swapcase
        method_title method_upper
    """,
    "awning/template/methods/containers": """
        method_append method_clear method_copy method_extend method_get method_insert method_items
        method_keys method_pop method_remove method_reverse method_setdefault method_update
        method_values
    """,
    "awning/template/methods/strings": """
        SPACE centred lines method_center method_count method_endswith method_find method_index
        method_isalnum method_isalpha method_isdigit method_isnumeric method_isspace method_join
        method_ljust method_lstrip method_partition method_removeprefix method_removesuffix
        method_replace method_rfind method_rjust method_rpartition method_rsplit method_rstrip
        method_split method_splitlines method_startswith method_strip method_zfill replaced
    """,
    "awning/template/promises": "keeps_promises",
    "awning/template/text": """
        num put putIn str
    """,
    "awning/template/thing": """
        tuple
    """,
    "awning/template/truth": """
        truth
    """,
}

FILES: Mapping[str, str] = MappingProxyType(
    {helper: file for file, helpers in _FILES.items() for helper in helpers.split()}
)
"""The file of each helper, as an import path that the bundler resolves (`awning.bundle.request`)."""


def import_lines(helpers: Iterable[str]) -> list[str]:
    """Return one import statement per file, sorted."""
    by_file: dict[str, list[str]] = {}
    for helper in sorted(helpers):
        by_file.setdefault(FILES.get(helper, INDEX), []).append(helper)
    return [f'import {{ {", ".join(names)} }} from "{file}";' for file, names in sorted(by_file.items())]
