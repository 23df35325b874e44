"""The tokenizer as a table: a text with values, and the text with their escapers or the rule that refuses it."""

import pytest

from awning.template.html.html_context import START, HtmlRefusal, TokenizerState, finish
from awning.template.html.tokenizer import advance
from awning.template.html.values import output

HOLE = "§"


def written(template: str) -> str:
    """The emitted text with {function} for values; or `rule@offset` for the piece that is refused."""
    context, out, pieces = START, "", template.split(HOLE)
    try:
        for number, piece in enumerate(pieces):
            context, emitted = advance(context, piece)
            out += emitted
            if number + 1 < len(pieces):
                context, interpolation = output(context)
                out += f"{interpolation.before}{{{interpolation.escaper}}}{interpolation.after}"
        finish(context)
    except HtmlRefusal as fault:
        return f"{fault.rule}@{fault.offset}"
    return out


ACCEPTED = {
    # text and elements whose content is text
    "§": "{escapeText}",
    "<p>§</p>": "<p>{escapeText}</p>",
    "a < § > &§": "a < {escapeText} > &{escapeText}",
    "<textarea>§§</textarea>": "<textarea>\n{escapeText}{escapeText}</textarea>",
    "<title>§</title>§": "<title>{escapeText}</title>{escapeText}",
    "<!-- c -->§": "<!-- c -->{escapeText}",
    "<!doctype html>§": "<!doctype html>{escapeText}",
    "<script>let a = '<p>'</script>§": "<script>let a = '<p>'</script>{escapeText}",
    "<svg><title>§</title></svg>": "<svg><title>{escapeText}</title></svg>",
    "<svg/><title>§</title>": "<svg/><title>{escapeText}</title>",
    # attributes are quoted
    "<p title='§'>": "<p title='{escapeText}'>",
    "<p title=§>": '<p title="{escapeText}">',
    "<p title=a§b§ id=§>": '<p title="a{escapeText}b{escapeText}" id="{escapeText}">',
    "<p title = §>": '<p title = "{escapeText}">',
    "<p title=x>": '<p title="x">',
    "<p title=>§": '<p title="">{escapeText}',
    "<p title= >§": '<p title= "">{escapeText}',
    "<a href=/x/>": '<a href="/x/">',
    "<input disabled value=§>": '<input disabled value="{escapeText}">',
    "<P TITLE=§>": '<P TITLE="{escapeText}">',
    "<p data-Any.thing='§' aria-x='§'>": "<p data-Any.thing='{escapeText}' aria-x='{escapeText}'>",
    "<p onclick='f(1)'>§": "<p onclick='f(1)'>{escapeText}",
    # addresses
    "<a href='§'>": "<a href='{escapeUrl}'>",
    "<a href=' \t§'>": "<a href=' \t{escapeUrl}'>",
    "<a href='§§'>": "<a href='{escapeUrl}{escapeUrlRest}'>",
    "<a href='§/§'>": "<a href='{escapeUrl}/{escapeUrlRoot}'>",
    "<a href='/§/§'>": "<a href='/{escapeUrlRoot}/{escapeUrlPath}'>",
    "<a href='/a/§?b=§&c=§#§'>": "<a href='/a/{escapeUrlPath}?b={escapeUrlPart}&c={escapeUrlPart}#{escapeUrlPart}'>",
    "<a href='//§/§'>": "<a href='//{escapeUrlPart}/{escapeUrlPath}'>",
    "<a href='https://§/§'>": "<a href='https://{escapeUrlPart}/{escapeUrlPath}'>",
    "<a href='https:§'>": "<a href='https:{escapeUrlPart}'>",
    "<a href='mailto:§?subject=§'>": "<a href='mailto:{escapeUrlPath}?subject={escapeUrlPart}'>",
    "<a href='product-§'>": "<a href='product-{escapeUrlPart}'>",
    "<a href='1:§'>": "<a href='1:{escapeUrlPath}'>",
    "<a href='?a&amp;b=§'>": "<a href='?a&amp;b={escapeUrlPart}'>",
    "<a href='?a&§=1'>": "<a href='?a&{escapeUrlPart}=1'>",
    "<img src='§'>": "<img src='{escapeImageUrl}'>",
    "<image src='§'>": "<image src='{escapeImageUrl}'>",
    "<img src='data:image/png;base64,§'>": "<img src='data:image/png;base64,{escapeUrlPart}'>",
    "<img src='data:image/svg+xml,x'>": "<img src='data:image/svg+xml,x'>",
    "<video src='§' poster='§'>": "<video src='{escapeUrl}' poster='{escapeImageUrl}'>",
    "<iframe src='https://a.example/§'></iframe>": "<iframe src='https://a.example/{escapeUrlSegment}'></iframe>",
    "<iframe src='/embed/§'></iframe>": "<iframe src='/embed/{escapeUrlSegment}'></iframe>",
    "<svg><use href='#§'/></svg>": "<svg><use href='#{escapeUrlPart}'/></svg>",
    "<svg><image href='§'/></svg>": "<svg><image href='{escapeImageUrl}'/></svg>",
    # lists of pictures
    "<img srcset='§'>": "<img srcset='{escapeSrcset}'>",
    "<img srcset='§ 1x, /a/§ §x'>": "<img srcset='{escapeSrcset} 1x, /a/{escapeUrlPath} {escapeSrcsetDescriptor}x'>",
    "<img srcset='a,§ 1x'>": "<img srcset='a,{escapeUrlPath} 1x'>",
    "<img srcset='a, § 1x'>": "<img srcset='a, {escapeSrcset} 1x'>",
    # styles
    "<p style='width: §%'>": "<p style='width: {escapeCssValue}%'>",
    "<p style=color:§>": '<p style="color:{escapeCssValue}">',
    "<p style='a:b;/*;*/c:§'>": "<p style='a:b;/*;*/c:{escapeCssValue}'>",
    "<p style='a:url(x;y);c:§'>": "<p style='a:url(x;y);c:{escapeCssValue}'>",
    '<p style=\'a:";";c:"§"\'>': '<p style=\'a:";";c:"{escapeCssString}"\'>',
    "<p style='a:&quot;§&quot;'>": "<p style='a:&quot;{escapeCssString}&quot;'>",
    "<p style='background:url(§)'>": "<p style='background:url({escapeCssUrl})'>",
    "<p style=background:url(§)>": '<p style="background:url({escapeCssUrl})">',
    "<p style='background-image:URL(\"§\")'>": "<p style='background-image:URL(\"{escapeCssUrl}\")'>",
    "<p style='--photo:url(&quot;§&quot;)'>": "<p style='--photo:url(&quot;{escapeCssUrl}&quot;)'>",
    "<p style='mask:linear-gradient(red,blue), url( /a/§.png?b=§#§ ) no-repeat;c:§'>": (
        "<p style='mask:linear-gradient(red,blue), url( /a/{escapeCssUrlPath}.png"
        "?b={escapeCssUrlPart}#{escapeCssUrlPart} ) no-repeat;c:{escapeCssValue}'>"
    ),
    "<p style='content:url(§/§)'>": "<p style='content:url({escapeCssUrl}/{escapeCssUrlRoot})'>",
    "<p style='cursor:url(https://§/§)'>": "<p style='cursor:url(https://{escapeCssUrlPart}/{escapeCssUrlPath})'>",
    "<style>a{background:url(§)}b{c:§}</style>": (
        "<style>a{background:url({escapeCssUrl})}b{c:{escapeCssValueInElement}}</style>"
    ),
    # microdata
    "<meta itemprop=price content='§'>": "<meta itemprop=\"price\" content='{escapeText}'>",
    "<meta id=§ itemprop='a' content=§>": '<meta id="{escapeText}" itemprop=\'a\' content="{escapeText}">',
    # where browsers drop a newline
    "<pre id=a>§§</pre><pre>x§</pre>": '<pre id="a">\n{escapeText}{escapeText}</pre><pre>x{escapeText}</pre>',
    "<listing>§</listing><p>§": "<listing>\n{escapeText}</listing><p>{escapeText}",
    # data scripts
    "<script type=application/json>§</script>": '<script type="application/json">{escapeJson}</script>',
    '<script type=\' Application/LD+JSON \'>{"a\\"":[§,§]}</script>§': (
        '<script type=\' Application/LD+JSON \'>{"a\\"":[{escapeJson},{escapeJson}]}</script>{escapeText}'
    ),
    "<script id='§' type='application/json' type=''>§</script>": (
        "<script id='{escapeText}' type='application/json' type=''>{escapeJson}</script>"
    ),
    # styles in functions, in media rules and in presentation attributes
    "<p style='w:calc(1px + §px)'>": "<p style='w:calc(1px + {escapeCssArgument}px)'>",
    "<style>@media x{a:b{c:d}e{f:§}}</style>": "<style>@media x{a:b{c:d}e{f:{escapeCssValueInElement}}}</style>",
    "<svg><rect fill='§'/></svg>": "<svg><rect fill='{escapeCssArgument}'/></svg>",
    "<p style='--a:§;b:§'>": "<p style='--a:{escapeCssArgument};b:{escapeCssValue}'>",
    "<p style='offset-path:ray(§deg)'>": "<p style='offset-path:ray({escapeCssArgument}deg)'>",
    "<p style='a:linear-gradient(calc((§)),§)'>": (
        "<p style='a:linear-gradient(calc(({escapeCssArgument})),{escapeCssArgument})'>"
    ),
    "<p style='background:image-set(url(§) 1x)'>": "<p style='background:image-set(url({escapeCssUrl}) 1x)'>",
    # references to elements of the page
    **{
        f"<svg><rect {name}='url(#a§)'/></svg>": f"<svg><rect {name}='url(#a{{escapeCssUrlPart}})'/></svg>"
        for name in (
            *("fill", "stroke", "mask", "clip-path", "filter", "marker", "marker-start", "marker-mid"),
            *("marker-end", "cursor"),
        )
    },
    "<svg><rect fill=url(#§)></rect></svg>": '<svg><rect fill="url(#{escapeCssUrlPart})"></rect></svg>',
    "<svg><rect fill='url(&quot;#§&quot;) red'/></svg>": (
        "<svg><rect fill='url(&quot;#{escapeCssUrlPart}&quot;) red'/></svg>"
    ),
    "<svg><rect style='clip-path:url(/a.svg#§-§)'/></svg>": (
        "<svg><rect style='clip-path:url(/a.svg#{escapeCssUrlPart}-{escapeCssUrlPart})'/></svg>"
    ),
    "<p style='fill:url( \"#§\" );mask:url(#c§)'>": (
        "<p style='fill:url( \"#{escapeCssUrlPart}\" );mask:url(#c{escapeCssUrlPart})'>"
    ),
    "<style>a{filter:blur(1px) url(#§)}</style>": "<style>a{filter:blur(1px) url(#{escapeCssUrlPart})}</style>",
    **{
        f"<svg><{element} {name}='#a§'/></svg>": f"<svg><{element} {name}='#a{{escapeUrlPart}}'/></svg>"
        for element in ("use", "lineargradient", "pattern", "textpath", "mpath", "feimage", "a", "image")
        for name in ("href", "xlink:href")
    },
}

REFUSED = {
    # tags
    "<§>": "template-dynamic-tag@0",
    "</§>": "template-dynamic-tag@0",
    "<b§>": "template-dynamic-tag@0",
    "<textarea></text§": "template-dynamic-tag@0",
    "<textarea><§": "template-dynamic-tag@0",
    "<p>x<plaintext>": "template-refused-element@5",
    "<base href=x>": "template-refused-element@1",
    # attributes
    "<p §>": "template-dynamic-attribute@0",
    "<p a§=b>": "template-dynamic-attribute@0",
    "<p a §>": "template-dynamic-attribute@0",
    "<p a='b'§>": "template-dynamic-attribute@0",
    "<p/§>": "template-dynamic-attribute@0",
    "</p title='§'>": "template-dynamic-attribute@0",
    "<p onclick='f(§)'>": "template-event-handler@0",
    "<p ONCLICK='f(§)'>": "template-event-handler@0",
    "<p onfuture=§>": "template-event-handler@0",
    "<svg><a onbegin=§></a></svg>": "template-event-handler@0",
    "<iframe srcdoc=''>": "template-refused-attribute@8",
    "<meta http-equiv=refresh>": "template-refused-attribute@6",
    "<meta content=§>": "template-refused-attribute@0",
    "<meta content=§ itemprop=a>": "template-refused-attribute@0",
    "<meta itemprop=a http-equiv=x content=§>": "template-refused-attribute@17",
    "<meta itemprop=a content=§ name=referrer>": "template-refused-attribute@1",
    "<meta name=referrer itemprop=a content=§>": "template-refused-attribute@0",
    "<meta itemprop=a charset=§>": "template-refused-attribute@0",
    "<p is=§>": "template-refused-attribute@0",
    "<iframe sandbox='§'>": "template-refused-attribute@0",
    "<script src='https://a.example/§'>": "template-refused-attribute@0",
    "<script type='§'>": "template-refused-attribute@0",
    "<link rel=stylesheet href='/§'>": "template-refused-attribute@0",
    "<object data='/§'>": "template-refused-attribute@0",
    "<embed src='/§'>": "template-refused-attribute@0",
    "<style media='§'>": "template-refused-attribute@0",
    "<p v-html='§'>": "template-unknown-attribute@0",
    "<p @click='§'>": "template-unknown-attribute@0",
    "<p hx-get='§'>": "template-unknown-attribute@0",
    "<p xmlns:x='§'>": "template-unknown-attribute@0",
    "<p a=b'c>": "template-unquoted-value@6",
    "<p a==b>": "template-unquoted-value@5",
    # addresses
    "<a href='javascript:x'>": "template-unsafe-url@9",
    "<a href=JavaScript:x>": "template-unsafe-url@8",
    "<a href=' java&#x73;cript&colon;x'>": "template-unsafe-url@9",
    "<a href='java\nscript:x'>": "template-unsafe-url@9",
    "<a href='&#1;javascript:x'>": "template-unsafe-url@9",
    "<form action='vbscript:x'>": "template-unsafe-url@14",
    "<a href='data:text/html,x'>": "template-unsafe-url@9",
    "<img src='data:text/html,x'>": "template-unsafe-url@10",
    "<a href='blob:x'>": "template-unsafe-url@9",
    "<img src='data:§'>": "template-url-value@0",
    "<img src='data:image/svg+xml,§'>": "template-url-value@0",
    "<a href='§:x'>": "template-url-value@0",
    "<a href='java&§'>": "template-open-reference@0",
    "<a href='java&#§'>": "template-open-reference@0",
    "<iframe src='§'>": "template-url-value@0",
    "<iframe src='https://§'>": "template-url-value@0",
    "<iframe src='https://a.example§'>": "template-url-value@0",
    "<iframe src='http://a.example/§'>": "template-url-value@0",
    "<iframe src='/§'>": "template-url-value@0",
    "<svg><use href='§'/>": "template-url-value@0",
    "<svg><animate attributeName='href'/>": "template-animated-address@33",
    "<svg><set attributeName='xlink&colon;href'/>": "template-animated-address@41",
    "<svg><set attributeName='§'/>": "template-animated-address@0",
    "<svg><animate to='§'/>": "template-unknown-attribute@0",
    # styles
    "<p style='§'>": "template-style-value@0",
    "<p style='a:b;§:c'>": "template-style-value@0",
    "<p style='width:url(§)'>": "template-style-value@0",
    "<p style='filter:url(§)'>": "template-style-value@0",
    "<p style='src:url(§)'>": "template-style-value@0",
    "<p style='background:src(\"§\")'>": "template-style-value@0",
    "<p style='background:image-set(§ 1x)'>": "template-style-value@0",
    "<p style='background:-webkit-image-set(§ 1x)'>": "template-style-value@0",
    "<p style='background:image(§)'>": "template-style-value@0",
    "<p style='background:src(§)'>": "template-style-value@0",
    "<p style='a:--mine(§)'>": "template-style-value@0",
    "<p style='fill:url(§#a)'>": "template-style-value@0",
    "<p style='fill:url(/§.svg#a)'>": "template-style-value@0",
    "<p style='behavior:url(#§)'>": "template-style-value@0",
    "<p style='-ms-filter:§'>": "template-style-value@0",
    "<svg><rect mask='url(//§#a)'/></svg>": "template-style-value@0",
    "<p style='background:url(\"a\" §)'>": "template-style-value@0",
    "<p style='background:url(a §)'>": "template-style-value@0",
    "<p style='background:url(a\"§)'>": "template-style-value@0",
    "<p style='background:url(a\\§)'>": "template-style-value@0",
    "<p style='background:url(javascript:§)'>": "template-style-value@0",
    "<p style='background:url(data:text/html,§)'>": "template-style-value@0",
    "<p style='background:url(data:image/§)'>": "template-url-value@0",
    "<p style='background:url(§§)'>": "template-style-value@0",
    "<p style='background:url(§:x)'>": "template-url-value@0",
    "<p style='background:url(§ x)'>": "template-malformed-style@0",
    "<p style='background:url(§\"x\")'>": "template-malformed-style@0",
    "<p style='background:url(§\\x)'>": "template-malformed-style@0",
    "<p style='background:url(/?a&§)'>": "template-open-reference@0",
    "<svg><rect fill='url(§)'/></svg>": "template-style-value@0",
    "<style>@import url(§);</style>": "template-style-value@0",
    "<style>@font-face{src:url(§)}</style>": "template-style-value@0",
    "<p style='background:image-set(\"§\" 1x)'>": "template-style-value@0",
    "<p style='a:§(1)'>": "template-style-value@0",
    "<p style='behavior:§'>": "template-style-value@0",
    "<p style='b\\65havior:§'>": "template-style-value@0",
    "<p style='a:b\\§'>": "template-style-value@0",
    "<p style='/*§*/'>": "template-style-value@0",
    "<p style='a:u\\72l(§)'>": "template-malformed-style@10",
    "<p style='a:b}'>": "template-malformed-style@10",
    "<style>§{}</style>": "template-style-value@0",
    "<style>@import '§';</style>": "template-style-value@0",
    "<style>@font-face{src:§}</style>": "template-style-value@0",
    "<style>a{b:'§</style>": "template-malformed-style@0",
    # content that is not text
    "<script>§</script>": "template-script-value@0",
    "<script type=module>§</script>": "template-script-value@0",
    "<script type>§</script>": "template-script-value@0",
    "<script type='text/javascript' type='application/json'>§</script>": "template-script-value@0",
    "<script type type='application/json'>§</script>": "template-script-value@0",
    "<script type='' type='application/json'>§</script>": "template-script-value@0",
    "<script data-type='application/json'>§</script>": "template-script-value@0",
    "<script type='application/json'>{}</script><script>§</script>": "template-script-value@0",
    "<script type='application/json'>\"§\"</script>": "template-script-value@0",
    '<script type=\'application/json\'>"\\"§"</script>': "template-script-value@0",
    "<script type='application/json'><§</script>": "template-dynamic-tag@0",
    "<script type='application/json'><!--§--></script>": "template-malformed-markup@32",
    "<script><!--</script>": "template-malformed-markup@8",
    "<noscript>§</noscript>": "template-raw-text-value@0",
    "<iframe>§</iframe>": "template-raw-text-value@0",
    "<xmp>§</xmp>": "template-raw-text-value@0",
    "<!--§-->": "template-comment-value@0",
    "<!§>": "template-comment-value@0",
    "<!doctype §>": "template-comment-value@0",
    # markup that browsers repair in different ways
    "<![CDATA[x]]>": "template-malformed-markup@8",
    "<?xml?>": "template-malformed-markup@1",
    "</ p>": "template-malformed-markup@2",
    "<p<b>": "template-malformed-markup@1",
    "<p ='x'>": "template-malformed-markup@3",
    "<p 'x'>": "template-malformed-markup@3",
    "<svg><div>": "template-foreign-content@6",
    "<svg><style>": "template-foreign-content@6",
    "<svg><script>": "template-foreign-content@6",
    "<svg><foreignObject>": "template-foreign-content@6",
    "<svg><title><b>": "template-foreign-content@13",
    "<svg></p>": "template-foreign-content@7",
    "<math><annotation-xml>": "template-foreign-content@7",
    "<select><style>": "template-foreign-content@9",
    "<select><textarea>": "template-foreign-content@9",
    # the end
    "<p": "template-unfinished-markup@0",
    "<p title='": "template-unfinished-markup@0",
    "<!--": "template-unfinished-markup@0",
    "<script>": "template-unfinished-markup@0",
    "<svg>": "template-unfinished-markup@0",
    "<select><option>": "template-unfinished-markup@0",
    "<": "template-unfinished-markup@0",
}


@pytest.mark.parametrize(("template", "expected"), ACCEPTED.items(), ids=ACCEPTED)
def test_accepted_template_has_the_expected_escapers(template: str, expected: str) -> None:
    assert written(template) == expected


@pytest.mark.parametrize(("template", "expected"), REFUSED.items(), ids=REFUSED)
def test_refused_template_names_its_rule(template: str, expected: str) -> None:
    assert written(template) == expected


def test_every_refusal_has_a_message_and_a_hint() -> None:
    with pytest.raises(HtmlRefusal) as caught:
        output(advance(START, "<p onclick=")[0])
    assert "onclick" in caught.value.message
    assert "data-" in caught.value.hint


def test_equal_contexts_compare_and_hash_equal() -> None:
    context, _emitted = advance(START, "<a href='/x?")
    again, _emitted = advance(advance(START, "<a hr")[0], "ef='/x?")
    assert context == again
    assert len({context, again, START}) == 2
    assert context.state is TokenizerState.VALUE
