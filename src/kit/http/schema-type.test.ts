import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './schema-type.ts'

/** Each type that schemas use, in each way that they use it. */
const samples = (of: typeof Type) => {
  const text = of.String({ minLength: 1 })
  const fields = of.Object({ a: text, b: of.Optional(of.Integer({ minimum: 1 })) }, { additionalProperties: false })
  return {
    text,
    fields,
    part: of.Partial(fields),
    closedPart: of.Partial(fields, { additionalProperties: false }),
    objectOfParts: of.Object({ part: of.Optional(of.Partial(fields)), whole: fields }),
    none: of.Object({}),
    literals: [of.Literal('a', { description: 'b' }), of.Literal(1), of.Literal(true)],
    lists: [of.Array(text), of.Array(fields, { minItems: 1 })],
    union: of.Union([text, of.Null()], { description: 'b' }),
    record: of.Record(of.String(), of.Unknown()),
    plain: [of.Any(), of.Unknown({ description: 'b' }), of.Boolean(), of.Number({ maximum: 2 }), of.Null()],
    unsafe: of.Object({ a: of.Unsafe<string>(of.Literal('*')), b: of.Unsafe(of.Optional(text)) }),
    spread: of.Object({ a: { ...of.Optional(text) } }),
  }
}

test('a schema is what TypeBox makes, to the order of its words', () => {
  assert.equal(JSON.stringify(samples(Type)), JSON.stringify(samples(TypeBox)))
})
