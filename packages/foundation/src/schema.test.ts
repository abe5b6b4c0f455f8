// Validation by a schema reports the path and message of every invalid field, and changes no values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { faultsOf, Refusal } from './refusal.ts'
import { Closed, faults, Nullable, OneOf, parse, prepare, Type } from './schema.ts'

const Pan = Type.String({ pattern: '^[A-Z]{5}[0-9]{4}[A-Z]$', 'x-says': 'must be a valid PAN' })
const Person = Closed({
  name: Type.String({ minLength: 1 }),
  pan: Type.Optional(Nullable(Pan)),
  kind: Type.Optional(OneOf(['salaried', 'self-employed'])),
  income: Type.Optional(Type.Integer({ minimum: 0 })),
  phones: Type.Optional(Type.Array(Closed({ 'a/b~c': Type.String() }))),
})
const messagesOf = (value: unknown, prefix?: string): Record<string, string> =>
  Object.fromEntries(faults(Person, value, prefix).map(({ path, message }) => [path, message]))

test('parse returns a valid value unchanged', () => {
  const person = { name: 'A', pan: null, kind: 'salaried', income: 0, phones: [{ 'a/b~c': '1' }] }
  const before = structuredClone(person)
  assert.equal(parse(Person, person), person)
  assert.deepEqual(person, before)
})

test('D2 §7: faults reports every invalid field with its path and a message', () => {
  const wrong = { nmae: 'x', pan: 'abc', kind: 'rich', income: -1, phones: [{ 'a/b~c': '1' }, { 'a/b~c': 2 }] }
  assert.deepEqual(messagesOf(wrong), {
    name: 'is required',
    nmae: 'is not a known field',
    pan: 'must be a valid PAN',
    kind: 'must be one of salaried, self-employed',
    income: 'must be >= 0',
    'phones.1.a/b~c': 'must be string',
  })
})

test('D2 §7: an invalid length is named in words', () => {
  const Sized = Closed({
    a: Type.String({ minLength: 1 }),
    b: Type.String({ minLength: 2 }),
    c: Type.String({ maxLength: 1 }),
    d: Type.Array(Type.String(), { minItems: 1 }),
    e: Type.Array(Type.String(), { maxItems: 2 }),
  })
  assert.deepEqual(
    faults(Sized, { a: '', b: '', c: 'cc', d: [], e: ['', '', ''] }).map(({ message }) => message),
    [
      'must not be empty',
      'must have at least 2 characters',
      'must have at most 1 character',
      'must not be empty',
      'must have at most 2 entries',
    ],
  )
})

test('D2 §7: the refusal names the first invalid field and lists all invalid fields, with the prefix', () => {
  assert.throws(
    () => parse(Person, { income: '1' }, 'data.borrower'),
    (error: Refusal) => {
      assert.ok(error instanceof Refusal)
      assert.equal(error.kind, 'invalid')
      assert.equal(error.message, 'data.borrower.name is required')
      assert.equal(error.details.field, 'data.borrower.name')
      assert.deepEqual(
        error.details.fields!.map(({ path }) => path),
        ['data.borrower.name', 'data.borrower.income'],
      )
      return true
    },
  )
})

test('D2 §7: further checks get the value without its invalid fields', () => {
  const checked: unknown[] = []
  const messagesWithFurtherChecks = (value: unknown) => {
    const furtherChecks = (partialValue: unknown) => {
      checked.push(partialValue)
      return [
        { path: 'kind', message: 'is not for A' },
        { path: 'income', message: 'is too little' },
      ]
    }
    return faultsOf(() => parse(Person, value, '', furtherChecks)).map(({ path, message }) => `${path} ${message}`)
  }
  const value = { name: 'A', kind: 'rich', income: 5, phones: [{ 'a/b~c': '1' }, {}], '__proto__.toString': 1 }
  assert.deepEqual(messagesWithFurtherChecks(value), [
    '__proto__.toString is not a known field',
    'kind must be one of salaried, self-employed',
    'phones.1.a/b~c is required',
    'income is too little',
  ])
  assert.deepEqual(checked, [{ name: 'A', income: 5 }])
  assert.equal(typeof Object.prototype.toString, 'function')
  for (const uncheckable of [null, [], Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i]))])
    messagesWithFurtherChecks(uncheckable)
  assert.equal(checked.length, 1, 'no further checks without a valid object, or with too many faults')
})

test('validation does not coerce values', () => {
  const wrong: [object, string][] = [
    [{ name: 1 }, 'name'],
    [{ name: null }, 'name'],
    [{ name: ['a'] }, 'name'],
    [{ name: 'a', income: '5' }, 'income'],
    [{ name: 'a', income: 5.5 }, 'income'],
    [{ name: 'a', income: true }, 'income'],
    [{ name: 'a', phones: {} }, 'phones'],
  ]
  for (const [value, field] of wrong) assert.deepEqual(Object.keys(messagesOf(value)), [field])
})

test('a value that is not an object is a fault without a path', () => {
  for (const value of [null, [], 'x', 5, true]) assert.deepEqual(messagesOf(value), { '': 'must be object' })
  assert.deepEqual(messagesOf([], 'data'), { data: 'must be object' })
})

test('a closed object rejects keys that Object.prototype has', () => {
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    assert.deepEqual(messagesOf(JSON.parse(`{"name":"a","${key}":{"x":1}}`)), { [key]: 'is not a known field' })
})

test('a fault in a union is reported inside the alternative whose keys match, otherwise for the union', () => {
  const Payment = Closed({
    account: Type.Union([Closed({ upi: Type.String() }), Closed({ number: Type.String() })]),
  })
  const paths = (value: unknown) => faults(Payment, value).map(({ path }) => path)
  assert.deepEqual(paths({ account: { upi: 'a' } }), [])
  assert.equal(paths({ account: { upi: 5 } })[0], 'account.upi')
  assert.deepEqual(paths({ account: 5 }), ['account'])
})

test('property: parse throws if and only if there are faults', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const personFaults = faults(Person, value)
      if (personFaults.length === 0) assert.equal(parse(Person, value), value)
      else assert.throws(() => parse(Person, value), Refusal)
    }),
  )
})

test('the number and length of reported faults are limited', { timeout: 120_000 }, () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))
  const deep = { [Array(60_000).fill('a').join('.')]: 1, name: 'a' }
  const first = faults(Person, many)
  const second = faults(Person, deep)
  assert.ok(first.length <= 100)
  assert.ok(JSON.stringify(second).length < 1000)
})

test('prepare rejects an invalid schema', () => {
  assert.throws(() => prepare({ type: 'string', patern: 'x' } as never), /unknown keyword/)
})

test('D2 §7: of a value with thousands of elements only the first fault is described', () => {
  const List = Closed({ items: Type.Array(Closed({ a: Type.String() })) })
  const wrong = { items: Array(5000).fill(0) }
  assert.deepEqual(faults(List, wrong), [{ path: 'items.0', message: 'must be object' }])
  const few = { items: Array(150).fill(0) }
  assert.equal(faults(List, few).length, 100)
})
