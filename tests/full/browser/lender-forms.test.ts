// A form that nobody changed is handed in with exactly the fields of a real browser (FIS12 §7.7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillForm, readForm } from '@lendloom/wire/network/html-form'
import { openContext, sharedBrowser } from '#test/setup/browser.ts'

/** Returns a form of inputs of one type with these preset values. */
function presets(type: string, values: string[]): string {
  return `<form method=post>${values.map((value) => `<input type=${type} name=a required value="${value}">`).join('')}</form>`
}

function sliders(attributes: string[]): string {
  return `<form method=post>${attributes.map((each) => `<input type=range name=a ${each}>`).join('')}</form>`
}

const forms: Record<string, string> = {
  'a hidden field beside its check box': `<form method=post><input type=hidden name=a value=0><input type=checkbox name=a value=1>
    <input type=hidden name=b value=0><input type=checkbox name=b value=1 checked></form>`,
  'check boxes of one name': `<form method=post><input type=checkbox name=a value=x checked><input type=checkbox name=a value=y>
    <input type=checkbox name=a checked></form>`,
  'selects without a selected option': `<form method=post><select name=a><option value="">Choose<option>x</select>
    <select name=b><option>x<option>y</select><select name=c><option disabled>x<option>y</select><select name=d></select></form>`,
  'selects with selected options': `<form method=post><select name=a><option>x<option selected>y<option selected>z</select>
    <select name=b><optgroup label=g><option value=1>x</optgroup><option value=2 selected>y</select></form>`,
  'selects of several options': `<form method=post><select name=a multiple><option selected>x<option>y<option selected>z</select>
    <select name=b multiple><option>x</select><select name=c multiple><option selected disabled>x<option selected>y</select></form>`,
  'a disabled fieldset': `<form method=post><fieldset disabled><input name=a value=1><select name=b><option>x</select></fieldset>
    <fieldset><input name=c value=1><fieldset disabled><textarea name=d>x</textarea></fieldset></fieldset></form>`,
  'disabled and nameless controls': `<form method=post><input name=a value=1 disabled><input value=2><input name="" value=3>
    <select name=b disabled><option>x</select><input name=c readonly value=4></form>`,
  'controls outside their form': `<input form=f name=a value=1><form id=f method=post><input name=b value=2>
    <input form=g name=c value=3><input form="" name=d value=4></form><textarea form=f name=e>x</textarea><form id=g></form>`,
  'empty fields': `<form method=post><input name=a><input type=email name=b value=""><textarea name=c></textarea>
    <input type=hidden name=d></form>`,
  'radio buttons': `<form method=post><input type=radio name=a value=1><input type=radio name=a value=2 checked>
    <input type=radio name=b value=1></form>`,
  'one submit button': `<form method=post><input name=a value=1><button name=go value=yes>Send</button>
    <button type=button name=other value=no>Help</button></form>`,
  'several submit buttons': `<form method=post><input name=a value=1><button disabled name=go value=0>Send</button>
    <button name=go value=1>Send</button><button name=go value=2>Send as draft</button></form>`,
  'a picture': `<form method=post><input name=a value=1><input type=image name=go><button name=b>Send</button></form>`,
  'a picture without a name': `<form method=post><input type=image value=3><input name=a value=1></form>`,
  files: `<form method=post><input type=file name=a><input name=b><input type=file name=c required multiple></form>`,
  'several lines of text': `<form method=post><textarea name=a>\none  two</textarea></form>`,
  'a form in a table': `<table><form method=post><tr><td><input name=a value=1></td></tr><tr><td><button name=go>Send</button></td></tr>
    </form></table><input name=b value=2>`,
  'a form that ends in another element': `<div><form method=post><input name=a value=1></div><input name=b value=2><p><select name=c>
    <option>x</select></form><input name=d value=3>`,
  'a form in a form': `<form method=post><input name=a value=1><form><input name=b value=2></form><input name=c value=3></form>`,
  'controls that misnested markup moves': `<div><form method=post></div><b><p><input name=a value=1></b><input name=b value=2></p></form>
    <i><div><form><input name=c value=3></i></div></form>`,
  'controls in a template and a list of suggestions': `<form method=post><template><input name=a value=1></template>
    <datalist><input name=b value=2></datalist><input name=c value=3></form>`,
  'controls in a list of suggestions': `<form method=post><datalist><input name=a required><select name=b required><option value="">Choose
    </select><textarea name=c required></textarea><button name=go>Send</button></datalist><input name=d></form>`,
  'two elements of the id of the form': `<form id=f method=post><input name=a value=1></form><form id=f></form>
    <input form=f name=b value=2><input form=g name=c value=3>`,
  'legends of a disabled fieldset': `<form method=post><fieldset disabled><div><legend><input name=a value=1></legend></div>
    <legend>First <input name=b value=2><fieldset disabled><input name=c value=3></fieldset></legend>
    <legend><input name=d value=4></legend></fieldset></form>`,
  'a disabled group of options': `<form method=post><select name=a><optgroup disabled><option>x</optgroup><option>y</select>
    <select name=b><optgroup disabled><option selected>x</optgroup><option>y</select><select name=c multiple>
    <optgroup disabled><option selected>x</optgroup><optgroup><option selected>y</optgroup></select>
    <optgroup disabled><select name=d><option>x</select></optgroup></form>`,
  'selects that show several options': `<form method=post><select name=a size=3><option>x<option>y</select>
    <select name=b size=3><option>x<option selected>y</select><select name=c size=1><option>x</select>
    <select name=d size=0><option>x</select><select name=e size=" 2x"><option>x</select><select name=f size=-2><option>x</select></form>`,
  'several checked radio buttons': `<form method=post><input type=radio name=a value=1 checked><input name=b>
    <input type=radio name=a value=2 checked><input name=c><input type=radio name=a value=3></form>`,
  'texts of options': `<form method=post><select name=a><option>&nbsp; Self&nbsp;employed\n (business) </select></form>`,
  'a button without a name': `<form method=post><input name=a value=1><button>Send</button></form>`,
  'a button without a value': `<form method=post><button name=go type=unknown>Send</button></form>`,
  'a submit input without a name': `<form method=post><input name=a value=1><input type=submit value=Send></form>`,
  'an empty submit input': `<form method=post><input type=submit name=go value=""></form>`,
  'read-only fields': `<form method=post><input name=a required readonly><textarea name=b required readonly></textarea>
    <input name=c required><select name=d required readonly><option value="">Choose</select>
    <input type=checkbox name=e required readonly></form>`,
  'texts with spaces and line ends': presets('text', [' a&#10;b&#13;c ', ' x ']),
  telephones: presets('tel', [' 98 ', '9&#10;8']),
  'an unknown type': presets('constructor', [' a&#10;b ']),
  'the type of another element': presets('select', [' a&#10;b ']),
  'hidden values': presets('hidden', [' a b ']),
  emails: presets('email', [' a@b.example ', 'a @b', 'a&#10;@b']),
  addresses: presets('url', [' https://a.example ', 'a b']),
  numbers: presets('number', ['5', '05', '-5', '.5', '1e3', '1E-5', ' 5', '+5', '5.', '1,000', '12abc', '1e400', '1e']),
  days: presets('date', [
    '2026-01-31',
    '2024-02-29',
    '2026-02-29',
    '31/01/2026',
    '2026-1-1',
    '2026-13-01',
    ' 2026-01-01',
    '0000-01-01',
    '0001-01-01',
  ]),
  months: presets('month', ['2026-01', '2026-13', '2026-1', '01/2026', '0000-01']),
  times: presets('time', ['10:30', '10:30:15', '10:30:15.5', '24:00', '9:30', '10:30:60', '10:30:15.1234', ' 10:30']),
  'days with a time': presets('datetime-local', [
    '2026-01-31T10:30',
    '2026-01-31 10:30',
    '2026-01-31T10:30:00',
    '2026-01-31T10:30:10',
    '2026-01-31T10:30:10.000',
    '2026-01-31T10:30:15.500',
    '2026-01-31T10:30:00.5',
    '2026-02-30T10:30',
    '2026-01-31T24:00',
    '2026-01-31',
    '2026-01-31T10:30Z',
    '2026-01-31x10:30',
    ' 2026-01-31T10:30',
    '31/01/2026 10:30',
  ]),
  weeks: presets('week', [
    '2026-W01',
    '2026-W53',
    '2025-W53',
    '2020-W53',
    '2021-W53',
    '2026-W00',
    '2026-W54',
    '2026-w01',
    '2026-W1',
    '0001-W01',
    '0000-W01',
  ]),
  colors: presets('color', [
    '',
    '#ABCDEF',
    '#abc',
    '#abcd',
    ' #abcdef',
    '#abcdef80',
    '#abcde',
    '#abcdefa',
    'abcdef',
    'x',
  ]),
  'a color without a value': `<form method=post><input type=color name=a required></form>`,
  'sliders without a value': sliders([
    '',
    'min=10 max=30',
    'min=10 max=25',
    'min=10 max=31 step=5',
    'min=10 max=5',
    'min=200',
  ]),
  'steps of sliders': sliders(['step=7', 'step=0.3', 'step=0', 'step=-1', 'step=x', 'step=any max=5', 'min=x max=x']),
  'sliders of amounts': sliders([
    'min=50000 max=500000 step=10000',
    'min=50000 max=500000 step=100000',
    'min=10.5 max=24 step=0.05',
    'min=0.05 max=1 step=0.1',
    'min=-100 max=100 step=30',
  ]),
  'sliders with a value': sliders([
    'value=33 step=10',
    'value=33 step=10 min=0',
    'value=35 step=10 min=0',
    'value=98 step=30 min=0',
    'value=150 step=30',
    'value=0.145 step=0.01 max=1 min=0',
    'value=150',
    'value=-5 min=0',
    'value=07',
    'value=x',
  ]),
}

const page = await (await openContext(await sharedBrowser())).newPage()

test('FIS12 §7.7: a form that nobody changed is handed in with the fields of a browser', async () => {
  const byBrowser: Record<string, string[]> = {}
  const byUs: Record<string, string[]> = {}
  for (const [what, html] of Object.entries(forms)) {
    await page.setContent(`<!doctype html><body>${html}`)
    byBrowser[what] = await page.evaluate<string[]>(`(() => {
      const form = document.querySelector('form[method=post]')
      // A form does not list its pictures.
      const owned = [...document.querySelectorAll('input, button')].filter((each) => each.form === form)
      const button = owned.find(({ type, disabled }) => /^(submit|image)$/.test(type) && !disabled)
      const textOf = (value) => (typeof value === 'string' ? value : value.name)
      const entries = [...new FormData(form, button)].map(([name, value]) => name + '=' + textOf(value))
      const missing = [...form.elements].filter((each) => each.willValidate && each.validity.valueMissing)
      return [...entries, ...new Set(missing.map(({ name }) => name + ' is missing'))]
    })()`)
    const { entries, missing } = fillForm(readForm(`<!doctype html><body>${html}`, 'https://lender.example/'), {})
    byUs[what] = [...entries.map((entry) => entry.join('=')), ...missing.map((name) => `${name} is missing`)]
  }
  assert.deepEqual(byUs, byBrowser)
})

const form = '<form method=post action=own enctype=multipart/form-data><input name=a>'
const submitters: Record<string, string> = {
  'a button without attributes': `${form}<button>Send</button></form>`,
  'a button with an address': `${form}<button formaction=other>Send</button></form>`,
  'an input with an address': `${form}<input type=submit formaction=/other></form>`,
  'a button with an empty address': `${form}<button formaction="">Send</button></form>`,
  'two buttons with an address': `${form}<button formaction=first>Send</button><button formaction=second>Save</button></form>`,
  'two buttons with one address': `${form}<button formaction=other>Send</button><button formaction=other>Save</button></form>`,
  'a picture with an address': `${form}<input type=image formaction=other alt=Send></form>`,
  'a button with a method': `<form action=own><input name=a><button formmethod=post>Send</button></form>`,
  'a button with an encoding': `${form}<button formenctype=application/x-www-form-urlencoded>Send</button></form>`,
}

test('FIS12 §7.7: a form is handed in where and how its button says, as in a browser', async () => {
  const pageUrl = 'https://lender.example/forms/apply'
  const byBrowser: Record<string, string[]> = {}
  const byUs: Record<string, string[]> = {}
  for (const [what, html] of Object.entries(submitters)) {
    await page.unrouteAll()
    await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html>${html}` }))
    await page.goto(pageUrl)
    const submission = page.waitForRequest((request) => request.isNavigationRequest())
    await page.press('[name=a]', 'Enter')
    const request = await submission
    const enctype = request.headers()['content-type']?.split(';')[0] ?? 'none'
    byBrowser[what] = [request.method(), request.url(), enctype]
    const { method, action, enctype: ownEnctype } = readForm(html, pageUrl)
    byUs[what] = [method, action, ownEnctype]
  }
  assert.deepEqual(byUs, byBrowser)
})
