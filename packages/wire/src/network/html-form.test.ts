// Parses and fills the form of a lender's page as a browser does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { dynamicFormUrl, fillForm, readForm } from './html-form.ts'

const page = `<!doctype html><title>Apply</title>
<form action="/search"><input name="q"></form>
<form method="post" action="submit?x=1&amp;y=2">
  <input type="hidden" name="formId" value="F-9"><input type=hidden name=csrf value="a&quot;b">
  <label>PAN <input name="pan" required></label>
  <input type="radio" name="gender" value="male" required><input type="radio" name="gender" value="transgender">
  <select name="employmentType" required><option value="">Choose</option><option value="salaried">Salaried</option>
    <option value="SELF_EMPLOYED">Self employed</option></select>
  <select name="endUse"><option>Education<option selected>Travel</select>
  <input type="checkbox" name="bureauConsent" value="yes"><input type="checkbox" name="news" checked>
  <textarea name="addressL1"></textarea><input type="file" name="derivedData">
  <input name="old" value="kept" disabled><input value="nameless"><button name="go" value="1">Send</button>
  <input name="loyaltyNumber" required>
</form>`
const form = readForm(page, 'https://lender.example/forms/profile?t=1')

test('FIS12 §7.7: the POST form is parsed with the fields that a browser would submit', () => {
  assert.equal(form.action, 'https://lender.example/forms/submit?x=1&y=2')
  assert.equal(form.method, 'POST')
  assert.equal(form.enctype, 'application/x-www-form-urlencoded')
  const names = form.fields.map(({ name, type, required }) => `${name}:${type}${required ? '*' : ''}`)
  assert.deepEqual(names, [
    'formId:hidden',
    'csrf:hidden',
    'pan:text*',
    'gender:radio*',
    'employmentType:select*',
    'endUse:select',
    'bureauConsent:checkbox',
    'news:checkbox',
    'addressL1:textarea',
    'derivedData:file',
    'go:submit',
    'loyaltyNumber:text*',
  ])
  const field = (name: string) => form.fields.find((f) => f.name === name)!
  assert.deepEqual(
    field('gender').options.map(({ value }) => value),
    ['male', 'transgender'],
  )
  assert.deepEqual(field('employmentType').options[1], { value: 'SELF_EMPLOYED', label: 'Self employed' })
  assert.equal(field('endUse').value, 'Travel')
  assert.equal(field('news').value, 'on')
  assert.equal(field('csrf').value, 'a"b')
})

test('FIS12 §7.7: a form is filled by field name without changing hidden values', () => {
  const { entries, missing } = fillForm(form, {
    formId: 'not ours to change',
    pan: 'ABCPE1234F',
    gender: 'Male',
    employmentType: 'selfEmployed',
    endUse: 'yacht',
    bureauConsent: 'true',
    companyName: 'not asked for',
  })
  assert.deepEqual(Object.fromEntries(entries), {
    formId: 'F-9',
    csrf: 'a"b',
    pan: 'ABCPE1234F',
    gender: 'male',
    employmentType: 'SELF_EMPLOYED',
    bureauConsent: 'yes',
    news: 'on',
    addressL1: '',
    derivedData: '',
    go: '1',
    loyaltyNumber: '',
  })
  assert.deepEqual(missing, ['loyaltyNumber'])
})

test('FIS12 §7.7: a required choice without a matching option is reported as missing', () => {
  assert.deepEqual(fillForm(form, { gender: 'female' }).missing, ['pan', 'gender', 'employmentType', 'loyaltyNumber'])
})

test('FIS12 §7.7: a check box beside a hidden field of its name sends both, and a select its first option', () => {
  const controls = `<form method=post id=f><input type=hidden name=consent value=0>
    <input type=checkbox name=consent value=1><select name=country><option value=IN>India<option value=NP>Nepal</select>
    <select name=purpose><option>Education<option>Travel</select><input name=pan></form><input form=f name=outside>`
  const entriesOf = (answers: Record<string, string>) =>
    fillForm(readForm(controls, 'https://lender.example/'), answers).entries.map((entry) => entry.join('='))
  const others = ['country=IN', 'purpose=Education', 'pan=', 'outside=']
  assert.deepEqual(entriesOf({}), ['consent=0', ...others])
  assert.deepEqual(entriesOf({ consent: 'true', purpose: 'travel', pan: 'ABCPE1234F' }), [
    'consent=0',
    'consent=1',
    'country=IN',
    'purpose=Travel',
    'pan=ABCPE1234F',
    'outside=',
  ])
  assert.deepEqual(
    entriesOf({ consent: 'false', purpose: 'yacht' }),
    ['consent=0', 'country=IN', 'pan=', 'outside='],
    'the first option would be untrue',
  )
})

test('FIS12 §7.7: a hidden field that says required is not checked, as in a browser', () => {
  const hidden = readForm('<form method=post><input type=hidden name=ref required>', 'https://lender.example/')
  assert.deepEqual(fillForm(hidden, {}), { entries: [['ref', '']], missing: [] })
})

test('FIS12 §7.7: the last checked radio button counts unless the borrower answers, and a slider has a position', () => {
  const controls = `<form method=post><input type=radio name=gender value=male required checked>
    <input type=range name=requestAmount min=50000 max=500000 step=10000>
    <input type=radio name=gender value=female checked><input name=ref required readonly></form>`
  const loan = readForm(controls, 'https://lender.example/')
  const preset = [
    ['requestAmount', '280000'],
    ['gender', 'female'],
    ['ref', ''],
  ]
  assert.deepEqual(fillForm(loan, {}), { entries: preset, missing: [] })
  const answered = [
    ['requestAmount', '60000'],
    ['gender', 'male'],
    ['ref', ''],
  ]
  assert.deepEqual(fillForm(loan, { requestAmount: '60000', gender: 'Male' }), { entries: answered, missing: [] })
})

test('FIS12 §7.7: the pressed button may name the action, method and encoding of its form', () => {
  const addressOf = (buttons: string) => {
    const { action, method, enctype } = readForm(`<form action=own>${buttons}</form>`, 'https://lender.example/a/b')
    return `${method} ${action} ${enctype}`
  }
  const button = '<button formaction=next formmethod=post formenctype=multipart/form-data>Send</button>'
  const own = 'GET https://lender.example/a/own application/x-www-form-urlencoded'
  assert.equal(addressOf(button), 'POST https://lender.example/a/next multipart/form-data')
  assert.equal(addressOf(`<button>Save</button>${button}`), own, 'the first of two buttons is pressed')
  assert.throws(() => addressOf('<button formaction="javascript:alert(1)">Send</button>'), Refusal)
})

test('FIS12 §7.7: a button that is clearly a cancel is not pressed', () => {
  const entriesOf = (buttons: string) =>
    fillForm(readForm(`<form method=post>${buttons}</form>`, 'https://lender.example/'), {}).entries.join()
  const cancels = [
    '<button name=op value=cancel>Continue</button>',
    '<button name=btnCancel value=1>No</button>',
    '<button name=op value=1> No, go back </button>',
    '<input type=submit name=op value="Decline the offer">',
    '<input type=image name=op alt="Cancel">',
    '<button name=op value=0>रद्द करें</button>',
  ]
  const send = '<button name=op value=send>Send</button>'
  for (const each of cancels) {
    assert.equal(entriesOf(each), '', each)
    assert.equal(entriesOf(each + send), 'op,send', each)
  }
  for (const text of ['Backed by my bank', 'Send and come back', 'Clearance'])
    assert.equal(entriesOf(`<button name=op value=1>${text}</button>${send}`), 'op,1', text)
})

test('FIS12 §7.7: the action is resolved against the page or its base, and must be http(s)', () => {
  const actionOf = (html: string) => readForm(html, 'https://lender.example/a/b').action
  assert.equal(actionOf('<form method=post>'), 'https://lender.example/a/b')
  assert.equal(actionOf('<form method=post action="//other.example/x">'), 'https://other.example/x')
  assert.equal(actionOf('<base href="https://cdn.example/z/"><form method=post action=go>'), 'https://cdn.example/z/go')
  for (const action of ['javascript:alert(1)', 'file:///etc/passwd', 'http://'])
    assert.throws(() => actionOf(`<form method=post action="${action}">`), Refusal, action)
  assert.throws(() => actionOf('<p>maintenance</p>'), /no form/)
})

test('FIS12 §7.7: an answer may name another address of the form, which must be http(s)', () => {
  const addressIn = (answer: unknown) => dynamicFormUrl(JSON.stringify(answer), 'https://lender.example/a/b')
  assert.equal(
    addressIn({ type: 'dynamic', formUrl: 'https://form.example/x?direct=true' }),
    'https://form.example/x?direct=true',
  )
  assert.equal(addressIn({ success: true, type: 'dynamic', formUrl: '/x' }), 'https://lender.example/x')
  for (const other of [
    { type: 'static', formUrl: '/x' },
    { type: 'dynamic' },
    { type: 'dynamic', formUrl: 7 },
    null,
    [],
  ])
    assert.equal(addressIn(other), null)
  assert.equal(dynamicFormUrl('<form method=post>', 'https://lender.example'), null)
  for (const formUrl of ['javascript:alert(1)', 'file:///etc/passwd'])
    assert.throws(() => addressIn({ type: 'dynamic', formUrl }), Refusal, formUrl)
})

test('FIS12 §7.7: a deeply nested form is found', () => {
  const { action } = readForm(`${'<div>'.repeat(12_000)}<form action="/next"></form>`, 'https://lender.example/a')
  assert.equal(action, 'https://lender.example/next')
})
