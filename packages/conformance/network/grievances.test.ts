// The version of grievance messages in a transcript whose search was sent in several versions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dialect, faultText } from '@lendloom/wire/network/context'
import type { AnyAction } from '@lendloom/wire/network/igm/actions'
import { grievanceFaults } from './grievances.ts'
import type { TranscriptMessage } from './transcript.ts'

const bppId = 'lender.example'
const at = new Date('2026-11-20T06:00:00.000Z')

function messageOf<A extends AnyAction>(number: number, action: A, version: Dialect, lender?: string) {
  const ids = { transaction_id: 't', bap_id: 'buyer.example', message_id: `m-${number}` }
  const context = { ...ids, action, version, timestamp: new Date(at.getTime() + number).toISOString(), bpp_id: lender }
  const facts = { at, direction: 'sent', message: {}, error: undefined, headers: {}, raw: '', isRejected: false }
  return { ...facts, path: `#${number} ${action} $`, action, context } as unknown as TranscriptMessage<A>
}

test('FIS12 §12.4.1: a complaint has the version of its lender, whichever search was sent first', () => {
  const loan = [
    messageOf(1, 'search', '2.0.2'),
    messageOf(2, 'search', '2.0.3'),
    messageOf(3, 'on_confirm', '2.0.3', bppId),
  ]
  const versionFaults = (version: Dialect) =>
    grievanceFaults([messageOf(4, 'issue', version, bppId)], loan)
      .map(faultText)
      .filter((text) => text.includes('context.version'))
  assert.deepEqual(versionFaults('2.0.3'), [])
  assert.deepEqual(versionFaults('2.0.2'), ['#4 issue $.context.version is 2.0.2, was 2.0.3 (FIS12 §12.4.1)'])
})
