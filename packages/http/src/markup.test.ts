// The `html` tag escapes interpolated values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './markup.ts'

test('html escapes text, inserts Html unchanged, joins lists, and omits null, undefined and false', () => {
  const name = `<b>"Rao" & 'Sons'</b>`
  assert.equal(
    html`<p title="${name}">${name}</p>`.text,
    '<p title="&lt;b&gt;&quot;Rao&quot; &amp; &#39;Sons&#39;&lt;/b&gt;">&lt;b&gt;&quot;Rao&quot; &amp; &#39;Sons&#39;&lt;/b&gt;</p>',
  )
  assert.equal(
    html`<ul>${['a', '<'].map((each) => html`<li>${each}</li>`)}</ul>`.text,
    '<ul><li>a</li><li>&lt;</li></ul>',
  )
  assert.equal(html`${null}${undefined}${false}${0}${12n}`.text, '012')
})
