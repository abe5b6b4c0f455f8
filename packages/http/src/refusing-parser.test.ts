// A parser in a thread may refuse content, and content may make the thread fail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { runRefusingParser } from './refusing-parser.ts'

const module = new URL('../../../tests/setup/hostile-parsers.ts', import.meta.url)
const unreadable = (reason: string) => new Refusal('malformed', `the page ${reason}`)

test('a refusal in the thread keeps its kind and details; an internal error stays an internal error', async () => {
  await assert.rejects(runRefusingParser({ module, name: 'refuse' }, unreadable, 'file'), (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.kind, 'invalid')
    assert.deepEqual(error.details, { field: 'file' })
    return true
  })
  await assert.rejects(runRefusingParser({ module, name: 'fail' }, unreadable), { message: 'a mistake of ours' })
})

test('content that takes too long is refused with the message of the caller, by its own time limit', async () => {
  assert.equal(await runRefusingParser({ module, name: 'spinFor' }, unreadable, 500), 'done')
  await assert.rejects(runRefusingParser({ module, name: 'spinFor', deadlineMs: 50 }, unreadable, 500), {
    message: 'the page takes too long to be read',
  })
  await assert.rejects(runRefusingParser({ module, name: 'spin' }, unreadable), {
    kind: 'malformed',
    message: 'the page takes too long to be read',
  })
})
