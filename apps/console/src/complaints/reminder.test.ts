// Which mails to a lender are reminders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreadEntry } from '@lendloom/wire/console/complaints'
import { isReminder } from './reminder.ts'

type Entry = Pick<ThreadEntry, 'author' | 'kind' | 'text'>
const message = (text: string): Entry => ({ author: 'BORROWER', kind: 'WORDS', text })
const forward = (text: string): Entry => ({ author: 'SYSTEM', kind: 'FORWARD', text })

test('a mail to the lender is a reminder if it only repeats what the borrower has written', () => {
  const first = [message('I cancel.')]
  assert.equal(isReminder(forward('I cancel.'), first), false, 'the first mail')
  const sent = [...first, forward('I cancel.')]
  assert.equal(isReminder(forward('I cancel.'), sent), true)
  const written = [...sent, message('I have paid.')]
  assert.equal(isReminder(forward('I have paid.'), written), false, 'a new message')
  assert.equal(isReminder(forward('I cancel.\n\nI have paid.'), [...written, forward('I have paid.')]), true)
  assert.equal(isReminder({ ...forward('I cancel.'), author: 'OFFICER' }, sent), false, 'an officer forwards it again')
})
