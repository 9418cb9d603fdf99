"""Fields as other tools write them are refused with ours; what people mean literally is sent as it stands."""

from __future__ import annotations

import pandas as pd
import pytest
from each import each

from dashboard.campaigns import Variant, preview, write_messages
from dashboard.campaigns.text.template import shown
from dashboard.errors import TemplateError

PERSON = {"Vorname": "Ann", "E-Mail": "ann@example.com", "city": "York", "Company": "Acme"}

FIRST_NAMES = """
*|FNAME|*
*|FNAME|Friend|*
*|IF:FNAME|*
%FIRSTNAME%
%First Name%
%recipient.first_name%
%contact.first_name%
https://example.com/?n=%FIRSTNAME%
%%first_name%%
%%FirstName%%
%%=v(@FirstName)=%%
{first_name}
{FirstName}
{firstName}
{ First name }
{first_name|there}
{contactfield=firstname|there}
{subtag:firstname}
{$first_name}
{!Contact.FirstName}
{!firstname_fix}
${first_name}
$first_name
$FirstName$
$[FNAME]$
$lookup(FIRST_NAME)$
[First Name]
[fname]
[%first_name%]
[firstname,fallback=there]
[Name,fallback=]
[subscriber:firstname | default:reader]
[[first_name]]
[[data:firstname:"there"]]
[[FIRSTNAME OR "there"]]
«First Name»
« Prénom »
<<First Name>>
<first_name>
<%= first_name %>
<%first_name%>
((first name))
(First Name)
@first_name
@FIRSTNAME@
#FIRSTNAME#
##FIRSTNAME##
#recipient:first_name#
~Contact.FirstName~
~FirstName~
-FNAME-
__first_name__
^first_name^
|FNAME|
{{contact.first_name}}
{{ contact.FIRSTNAME }}
{{person.first_name|default:'there'}}
{{lead.First Name:default=there}}
{{ insert first_name "default=Customer" }}
{{defaultIfEmpty firstName "there"}}
{{ personalization_token('contact.firstname', 'there') }}
{{first_name ?? 'there'}}
{first_name:there}
{firstname:there}
{First name: there}
{name|there}
%FIRSTNAME|there%
%First name|there%
((name??there))
[Name]
[Your Name]
[Insert first name here]
<YOUR NAME>
$First Name$
{ MERGEFIELD First_Name }
{ MERGEFIELD First_Name \\* MERGEFORMAT }
[FIRST_NAME/there]
[FNAME/]
<FirstName/>
<first_name />
@Model.FirstName
≪first_name≫
《first name》
〈Vorname〉
https://example.com/?n=*%7CFNAME%7C*
https://example.com/?n=%7B%7Bfirst_name%7D%7D
https://example.com/?n=%7bfirstname%7d&x=1
https://example.com/?n=%5BFIRST_NAME%5D
""".strip().splitlines()

HIDDEN = """
【first_name】
「 First name 」
『Vorname』
&lbrace;&lbrace;first_name&rbrace;&rbrace;
&#123;&#123; first_name | there &#125;&#125;
&amp;lt;First Name&amp;gt;
&#x5B;First Name&#x5D;
[First\u00ad Name]
[\ufeffVorname]
[First\u2800 Name]
{\u034ffirst_name}
""".strip().splitlines()
HIDES = {
    "full-width": lambda sign: chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign,
    "HTML": lambda sign: sign if sign.isalnum() else f"&#{ord(sign)};",
    "invisible": lambda sign: f"\u200b{sign}",
    "filler": lambda sign: f"\u3164{sign}\ufe0f",
}

NO_FIELDS_HERE = """
%VOUCHER%
{voucher_code}
{askAmount}
((voucher_code))
&#123;&#123;voucher&#125;&#125;
{% if member %}
*|END:IF|*
{{${first_name}}}
{{ first_name | upcase }}
{{ first_name | titlecase }}
{{ first_name | truncate: 10 }}
{{ first_name | replace('a', 'b') }}
{{ first_name | fallback "you" }}
{{ first_name || 'there' }}
""".strip().splitlines()

COLUMNS = {
    "{City}": "city",
    "[city]": "city",
    "$city": "city",
    "@Company": "Company",
    "<<Company>>": "Company",
}

LITERAL = """
mail ann@example.com now
mail first_name@company.com
$5 off, US$ 5, 5$
£10
[10% off]
50% off 100%
20% off, 30%off, 5% city 10%
100%COTTON%
:-) (^_^) -_- @_@ [T_T] {^_^} <3<3
[Reply STOP]
@shopname
@my_shop
me@company
#BlackFriday
Tag us #Name #win, #1 of #2
C# F#
https://example.com/caf%C3%A9
https://example.com/%C3%A9t%C3%A9
https://example.com/%DCbung%20neu
https://example.com/@company
https://example.com/new-city-sale
(city) [sic] { note } <b> « Bonjour »
[www.example.com]
{iPhone} {10} {SALE}
*SALE* **SALE** __SALE__
~50%~ -50%- |
1 < 2 > 0
(name your price)
[first] come, [last] chance
{SAVE_20} [[20% OFF]] 20%% off shoes & 30%% off hats
we are {#1}, save <%50
name: Ann
A|B|C
((hugs)) ((T_T)) ((^_^))
\uff08\uff08笑\uff09\uff09 【SALE】 「こんにちは」 \uff3b\uff3b重要\uff3d\uff3d \uff05オフ\uff05
[STOP to opt out] [opt out at the shop] [your choice] [name your price]
[Phone: 020 7946 0000] {note: bring ID}
&lt;3 R&amp;D 👨\u200d👩\u200d👧 \u2764\ufe0f
https://example.com/?search%5Bcity%5D%5B%5D=York&search[Company]=Acme
https://example.com/?q=%7B%22city%22:1%7D&at=a%7Cb%20c
#city#leeds #Company#2026 ~10.30~ ~9.5k~ {$5} {$10 off} {$ 20}
[open/closed] [Phone/e-mail us] $5 or $6 <br/> @joe.model 《Bonjour》
""".strip().splitlines()


@each(
    "written",
    [
        *("[unsubscribe]", "{Unsubscribe}", "[opt-out link]", "{OptOutLink}", "<unsubscribe_url>"),
        *("【unsubscribe】", "*|UNSUB|*", "%unsubscribe%"),
        *("{{ unsubscribe_url }}", "{{unsubscribe}}", "{{ contact.OptOutLink }}", "{{Opt-out link|x}}"),
    ],
)
def test_a_link_to_unsubscribe_as_another_tool_writes_it_is_refused_with_words(written: str) -> None:
    with pytest.raises(TemplateError, match="Reply STOP to opt out"):
        preview(f"Sale! {written}", PERSON)


@each("written", FIRST_NAMES)
def test_a_first_name_as_another_tool_writes_it_is_refused_with_its_column(written: str) -> None:
    with pytest.raises(TemplateError, match=r"\{\{ Vorname( \| there)? \}\}"):
        preview(f"Hi {written}, hello", PERSON)


def test_it_is_refused_however_it_is_hidden_and_quoted_as_it_was_typed() -> None:
    whole = [name for name in FIRST_NAMES if not name.startswith(("{{", "{!f", "https:", "*|IF", "[%"))]
    hidden = ["".join(map(hide, name)) for hide in HIDES.values() for name in whole]
    for written in HIDDEN + hidden:
        with pytest.raises(TemplateError, match=r"\{\{ Vorname \}\}") as error:
            preview(f"Hi {written}, hello", PERSON)
        assert shown(written.strip("\u200b\u3164\ufe0f")).rstrip("…'") in str(error.value)


def test_other_fields_filters_and_blocks_of_other_tools_are_refused_with_ours_or_the_columns() -> None:
    for written in NO_FIELDS_HERE:
        ours = r"\{\{ first_name( \| there)? \}\}|\{\{ Vorname \}\}|in quotes|The columns are Vorname"
        with pytest.raises(TemplateError, match=ours):
            preview(f"Hi {written}, hello", PERSON)


def test_a_column_in_other_brackets_is_refused_and_is_none_where_the_sheet_lacks_it() -> None:
    for written, column in COLUMNS.items():
        with pytest.raises(TemplateError) as error:
            preview(f"In {written} now", PERSON)
        assert f"{{{{ {column} }}}}" in str(error.value)
        assert preview(f"In {written} now", {"x": "y"}) == f"In {written} now"


@each("text", LITERAL)
def test_what_is_meant_literally_is_sent_as_it_stands(text: str) -> None:
    assert preview(text, PERSON) == text


@each("written", ["[NAME]", "%NAME%", "{Full name}", "{{name}}", "{{ full_name }}", "*|FULLNAME|*"])
def test_a_full_name_is_refused_with_the_first_where_the_sheet_has_it_in_two_columns(written: str) -> None:
    for first, last in (("first_name", "last_name"), ("Vorname", "Nachname")):
        for row in ({first: "Ann", last: "Lee"}, {last: "Lee", first: "Ann"}):
            with pytest.raises(TemplateError, match=rf"\{{\{{ {first} \}}\}}"):
                preview(f"Hi {written}!", row)


def test_without_such_a_column_our_way_is_shown_all_the_same() -> None:
    with pytest.raises(TemplateError, match=r"\{\{ first_name \| there \}\}"):
        preview("Hi [First Name]!", {"x": "y"})


def test_variants_optional_text_and_fallbacks_are_looked_at_as_well() -> None:
    people = pd.DataFrame({"phone": ["+447400123456"], **{name: [cell] for name, cell in PERSON.items()}})
    fine = Variant("A", "Hi {{first_name}}")
    for text in ("Hi %FIRSTNAME%", "Hi{{#city}} [First Name]{{/city}}", "Hi {{city | [First Name]}}"):
        with pytest.raises(TemplateError, match="Vorname"):
            write_messages(people, [fine, Variant("B", text)], campaign="x")
