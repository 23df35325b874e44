# ruff: noqa: E501 - productions, one a line
r"""Productions for statements. In `@body{name=kind}` these names are set; `@let{name=kind}` sets them for later code.

Every `$i` of a production is replaced by the same name; `loop=kind` stands for all attributes of `loop`, over items of
that kind.
"""

OUTPUT = r"""
{{ @scalar }}
{{ @text }}
{{ @text }}
{{ @num }}
{{ @int }}
{{ @mark }}
{{ @bool }}
{{ @text }} {{ @num }}
{{ @scalar or @scalar }}
{{ @texts|tojson }}
{{ @dict3|tojson }}
{{ @rows|tojson }}
{{ @pairs|length }}
{{ @row.b }}: {{ @row.p }}
"""

DATA = r"""
text
 \n
<b>@body</b>
<p title="{{ @plain }}">@body</p>
<i title='{{ @plain }}' data-a="{{ @plain }} {{ @plain }}"></i>
<textarea>{{ @plain }}</textarea>
<img alt="{{ @plain }}">
<ul>\n  <li>{{ @text }}</li>\n</ul>
 é &amp; 😀
{# a comment {{ s }} #}
{% raw %}{{ s }} {% if %}{% endraw %}
<br>\n
"""

STATEMENT = r"""
{% if @cond %}@body{% endif %}
{% if @cond %}@body{% else %}@body{% endif %}
{% if @cond %}@body{% elif @cond %}@body{% elif @cond %}@body{% else %}@body{% endif %}
{% for $i in @nums %}@body{$i=num}{% endfor %}
{% for $i in @nums %}@body{$i=num,loop=num}{% else %}@body{% endfor %}
{% for $i in @texts %}@body{$i=text}{% else %}none{% endfor %}
{% for $i in @texts %}@body{$i=text,loop=text}{% endfor %}
{% for $i in @texts %}{{ $i }}{{ ', ' if not loop.last }}{% endfor %}
{% for $i in @texts %}{% if loop.changed($i|lower) %}{{ $i }}{% endif %}{% endfor %}
{% for $i in @rows %}@body{$i=row,loop=row}{% endfor %}
{% for $i in @rows %}{{ loop.index }}/{{ loop.length }} {{ $i.b }}: {{ $i.p }}{% if not loop.last %}, {% endif %}@body{$i=row,loop=row}{% endfor %}
{% for $i in @rows if @cond{$i=row} %}@body{$i=row,loop=row}{% else %}@body{% endfor %}
{% for $i in @texts if @bool{$i=text} %}@body{$i=text}{% endfor %}
{% for $i in @nums if $i is odd %}@body{$i=num,loop=num}{% endfor %}
{% for $i in @any %}{{ $i|default('-')|tojson }}{% endfor %}
{% for $i in @dict %}@body{$i=text}{% endfor %}
{% for $k, $v in @dict.items() %}{{ $k }}={{ $v|length if $v is iterable else $v }};@body{$k=text,$v=any}{% endfor %}
{% for $k, $v in @dict|items %}{{ loop.index0 }}{{ $k }}{% endfor %}
{% for $k, $v in @dict3|dictsort %}@body{$k=text,$v=num,loop=any}{% endfor %}
{% for $k in @dict.keys() %}@body{$k=text}{% endfor %}
{% for $k, $v in @pairs %}{{ $k }}:{{ $v|default('-')|tojson }} {% endfor %}
{% for $k, $v in @pairs if $v %}@body{$v=any,loop=any}{% endfor %}
{% for $a, ($b, $c) in [(@any, (@text, @num)), ('x', [@text, @num])] %}@body{$a=any,$b=text,$c=num}{% endfor %}
{% for $g in @rows|groupby('b') %}{{ $g.grouper }}: {% for $r in $g.list %}@body{$r=row,loop=row}{% endfor %}{% endfor %}
{% for $g, $r in @rows|groupby('a') %}{{ $g }}{{ $r|length }}@body{$r=rows,loop=any}{% endfor %}
{% for $r in @rows|batch(@pos) %}[{% for $i in $r %}@body{$i=row,loop=row}{% endfor %}]{% endfor %}
{% for $r in @texts|slice(@pos) %}<i>@body{$r=texts,loop=texts}</i>{% endfor %}
{% for $r in @nums|batch(@pos, 0) %}@body{$r=nums}{% endfor %}
{% for $i in range(@small) %}@body{$i=int,loop=int}{% endfor %}
{% for $i in range(@small, @wide, @pos) %}@body{$i=int}{% endfor %}
{% for $i in @text %}{{ $i }}{{ loop.cycle('-', '_') }}{% endfor %}
{% for $i in @nums|map('round', 1) %}@body{$i=num,loop=num}{% endfor %}
{% for $i in @rows|selectattr('on') %}@body{$i=row,loop=row}{% else %}-{% endfor %}
{% for $i in @texts|unique|sort %}@body{$i=text,loop=text}{% endfor %}
{% for $i in nodes recursive %}<li>{{ $i.n }}@body{loop=any}{% if $i.c %}<ul>{{ loop($i.c) }}</ul>{% endif %}</li>{% endfor %}
{% for $i in nodes recursive %}{{ loop.depth }}{{ loop.index }}{{ $i.n }}{{ loop($i.c) if $i.c is defined }}{% endfor %}
{% for $i in [[1, [2, 3]], [4]] recursive %}{% if $i is iterable %}({{ loop($i) }}){% else %}{{ $i + @num }}{{ loop.depth0 }}{% endif %}{% endfor %}
{% for $i in @texts %}{% for $r in @nums %}@body{$i=text,$r=num,loop=num}{% endfor %}{{ loop.index }}{% endfor %}
{% for $i in @rows %}{% set $q = loop %}{% for $r in $i.tags %}{{ $q.index }}{{ loop.index }}{% endfor %}{% endfor %}
{% set $q = @text %}@let{$q=text}
{% set $q = @num %}@let{$q=num}
{% set $q = @any %}@let{$q=any}
{% set $q = @rows %}@let{$q=rows}
{% set $q = @texts %}@let{$q=texts}
{% set $q = @nums %}@let{$q=nums}
{% set $q = @dict %}@let{$q=dict}
{% set $a, $b = @text, @num %}@let{$a=text,$b=num}
{% set $a, $b = (@pairs + [[1, 2]])|first %}@let{$a=any,$b=any}
{% set $q %}@body{% endset %}@let{$q=mark}
{% set $q | upper %}@body{% endset %}@let{$q=mark}
{% set $q | trim | replace('a', 'b') %}@body{% endset %}@let{$q=mark}
{% set $q = namespace(a=@num, b=@text) %}@let{$q.a=num,$q.b=text}
{% set $q = namespace(@dict2) %}@let{$q.a=any}{% set $q.a = @any %}
{% set $q = namespace(n=0) %}{% for $i in @nums %}{% set $q.n = $q.n + $i %}{% endfor %}{{ $q.n }}
{% set $q = namespace(a='') %}{% for $i in @texts %}{% set $q.a = $q.a ~ $i %}@body{$q.a=text}{% endfor %}{{ $q.a }}
{% set $q = namespace(found=false) %}{% for $i in @rows if @cond{$i=row} %}{% set $q.found = true %}{% endfor %}{{ $q.found }}
{% set $q = [] %}{% for $i in @texts %}{% set _ = $q.append($i|upper) %}{% endfor %}{{ $q|join(',') }}@let{$q=texts}
{% set $q = [@text] %}{% set _ = $q.extend(@texts) %}{% set _ = $q.insert(@small, @text) %}{{ $q|join('|') }}{{ $q.pop() }}{{ $q.pop(0) }}{% set _ = $q.reverse() %}
{% set $q = [1, 2, @int] %}{% set _ = $q.remove(2) %}{{ $q|tojson }}{{ $q.copy()|join }}{% set _ = $q.clear() %}{{ $q|length }}
{% set $q = {'a': @scalar} %}{% set _ = $q.update({@text: @scalar}) %}{{ $q|items|map('join', '=')|join(';') }}{{ $q.setdefault('z', @scalar) }}{{ $q.pop('z') }}{{ $q|length }}{% set _ = $q.clear() %}
{% set $q = {'b': 1} %}{% set _ = $q.update(a=@scalar, c=@text) %}{{ $q|join }}{{ $q.pop(@text, @scalar) }}
{% set $c = cycler('odd', @text, @num) %}{% for $i in @nums %}{{ $c.next() }}{{ $c.current }}{% endfor %}{% set _ = $c.reset() %}{{ $c.next() }}
{% set $j = joiner(@text) %}{% for $i in @texts %}{{ $j() }}{{ $i }}{% endfor %}
{% set $j = joiner() %}{% for $i in @rows if $i.on %}{{ $j() }}{{ $i.b }}{% endfor %}
{% with $a = @text, $b = @num %}@body{$a=text,$b=num}{% endwith %}
{% with %}{% set $q = @any %}@body{$q=any}{% endwith %}
{% with $a = @rows %}@body{$a=rows}{% endwith %}
{% if @cond %}{% set $q = @text %}{% else %}{% set $q = @text %}{% endif %}@let{$q=text}
{% if @cond %}{% set $q = @num %}{% endif %}{{ $q }}
{% macro $m($p, $q=@text) %}@body{$p=text,$q=text}{% endmacro %}{{ $m(@text) }}{{ $m(@text, @text) }}@let{$m(@text)=mark}
{% macro $m($p, $q=@num, $r=$p) %}{{ $p }}-{{ $q }}-{{ $r }}{% endmacro %}{{ $m(@scalar, $r=@scalar) }}{{ $m($p=@scalar, $q=@num) }}@let{$m(@text, $q=@int)=mark}
{% macro $m() %}{{ varargs|join('-') }}{{ kwargs|tojson }}{{ varargs|length }}{% endmacro %}{{ $m(@text, @num, k=@text) }}{{ $m(*@texts, **{'a': @num}) }}
{% macro $m($p) %}{{ $p }}{% if $p|length > 1 %}{{ $m($p[1:]) }}{% endif %}{% endmacro %}{{ $m(@text[:@wide]) }}
{% macro $m($p) %}<i>{{ caller($p) }}</i>{% endmacro %}{% call($z) $m(@text) %}@body{$z=text}{% endcall %}
{% macro $m($p='') %}[{{ caller() if caller is defined else 'no' }}{{ $p }}]{% endmacro %}{% call $m() %}@body{% endcall %}{{ $m(@text) }}
{% macro $m($p) %}{% for $i in $p %}{{ caller($i, loop.index) }}{% endfor %}{% endmacro %}{% call($z, $y=@num) $m(@rows) %}@body{$z=row,$y=num}{% endcall %}
{% macro $m($p) %}@body{$p=rows}{% endmacro %}{{ $m(@rows) }}
{% macro $m($p) %}{{ $m.name }}{{ $m.arguments|join }}{{ $m.catch_varargs }}{{ $m.catch_kwargs }}{{ $m.caller }}{{ $p }}{% endmacro %}{{ $m(@scalar) }}
{% macro $m($p) %}@body{$p=text}{% endmacro %}{% macro $w($p) %}<b>{{ $m($p) }}</b>{{ $m($p)|length }}{% endmacro %}{{ $w(@text) }}{{ $w(@mark)|upper }}
{% filter upper %}@body{% endfilter %}
{% filter replace('a', @text) %}@body{% endfilter %}
{% filter trim|capitalize %}@body{% endfilter %}
{% filter indent(@small) %}@body{% endfilter %}
{% filter truncate(@wide, true) %}@body{% endfilter %}
{% filter lower|title %}@body{% endfilter %}
{% filter wordwrap(@wide) %}@body{% endfilter %}
{% filter escape %}@body{% endfilter %}
{% filter forceescape %}@body{% endfilter %}
{% filter string|safe %}@body{% endfilter %}
{% filter center(@wide) %}@body{% endfilter %}
{% autoescape true %}@body{% endautoescape %}
{% include 'row.html' %}
{% for item in @texts %}{% include 'row.html' %}{% endfor %}
{% for item in @rows %}{% include 'card.html' %}{% endfor %}
{% set item = @row %}{% include 'card.html' %}
{% include ['nope.html', 'row.html'] %}
{% include 'nope.html' ignore missing %}
{% set who = @text %}{% include 'says.html' without context %}{% include 'says.html' %}
{% with node = {'n': @text, 'c': nodes} %}{% include 'tree.html' %}{% endwith %}
{% import 'forms.html' as $f %}{{ $f.input(@plain, value=@plain) }}{{ $f.version }}@let{$f.input(@plain)=mark}
{% from 'forms.html' import input as $f, wrap %}{{ $f('q', @plain) }}{% call wrap() %}@body{% endcall %}@let{$f(@plain)=mark}
{% from 'says.html' import shout with context %}{{ shout() }}
{% import 'shop.html' as $f with context %}{{ $f.price(@num) }}{{ $f.badges(@texts) }}{{ $f.card(@row) }}@let{$f.price(@num)=mark}
{% from 'shop.html' import price, badges %}{{ price(@num, @text) }}{% for $i in @rows %}{{ price($i.p) }}{{ badges($i.tags) }}{% endfor %}
{% block $b %}@body{% endblock %}
{% block $b scoped %}@body{% endblock %}{{ self.$b() }}
{% for $i in @nums %}{% block $b scoped %}@body{$i=num}{% endblock %}{% endfor %}
{% block $b %}@body{% endblock $b %}
"""

WHOLE = r"""
@piece@piece
@piece@piece@piece
@piece@piece@piece@piece
@piece@piece@piece@piece@piece@piece
@piece@piece@piece
@piece@piece@piece@piece
@piece@piece@piece
{% extends 'base.html' %}{% block title %}{{ @plain }} - {{ @plain }}{% endblock %}{% block foot %}@body{shade=text}{% endblock %}
{% extends 'base.html' %}{% set shade = @text %}{% block body %}{{ super() }}@body{shade=text}{% endblock %}
{% extends 'middle.html' %}{% block body %}{{ super() }}@body{{ self.title() }}{% endblock %}
{% extends 'page.html' %}{% block main %}@body{% endblock %}{% block line %}{{ loop.index }}@body{item=text,loop=text}{% endblock %}
{% extends 'page.html' %}{% macro $m($p) %}@body{$p=text}{% endmacro %}{% block main %}{{ $m(@text) }}@body{$m(@text)=mark}{% endblock %}{% block side %}{{ super()|upper }}{% endblock %}
"""
