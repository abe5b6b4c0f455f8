// Both server packages mark the method of a deprecated operation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { required } from '@lendloom/foundation/required'
import { calls } from '../../../tools/packages/api-calls.ts'
import { typeOfCall } from '../../../tools/packages/node-client.ts'
import { methodText } from '../../../tools/packages/python-types.ts'
import { findPython, runPython } from './python.ts'

const call = required(
  calls.find(({ name }) => name === 'listFeatures'),
  'listFeatures',
)
const deprecated = { ...call, deprecation: 'Removed no earlier than 2028-01-01: use listProducts.' }

test('the comment of a deprecated operation has @deprecated, that of another has not', () => {
  assert.match(typeOfCall(deprecated), /^ {2}\/\*\* .+ @deprecated Removed .+ use listProducts\. \*\/$/m)
  assert.doesNotMatch(typeOfCall(call), /deprecated/)
})

const { python, skip } = findPython()
test('a call of a deprecated Python method warns the caller, and its help says so', { skip }, async () => {
  const program = `
from __future__ import annotations
import asyncio, warnings
from lendloom.calls import Call
class Operations:
    async def _send_operation(self, call):
        return call.path

${methodText(deprecated)}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("default")
    async def main():
        return await Operations().list_features()
    print(asyncio.run(main()), [(each.category.__name__, str(each.message)) for each in caught])
print(Operations.list_features.__doc__)
`
  const printed = await runPython(python, ['-c', program])
  assert.match(
    printed,
    /^\/api\/lab\/features \[\('DeprecationWarning', 'list_features: Removed .+ use listProducts\.'\)\]$/m,
  )
  assert.match(printed, /\(D1 §1\)\. Deprecated\. Removed no earlier than 2028-01-01/)
  assert.doesNotMatch(methodText(call), /warn|Deprecated/)
})
