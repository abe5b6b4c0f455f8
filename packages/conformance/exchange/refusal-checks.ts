// Checks of refusals: status and error body (D3 §7), or EVENT_PROCESSING_FAILED for a stored event.
import { setTimeout as pause } from 'node:timers/promises'
import { fieldsOf } from '@lendloom/foundation/record'
import { faults } from '@lendloom/foundation/schema'
import { ErrorBody } from '@lendloom/wire/exchange/error'
import { expect, Violation } from './check-result.ts'
import type { Run } from './run.ts'
import type { HttpAnswer } from './send-request.ts'

interface ExpectedRefusal {
  /** The `request_id` or `event_id` that the error may name; any other is wrong. */
  id?: string
  /** The last path segment of the field that the error must name. */
  field?: string
}

/** Passes when the request was refused with one of these statuses and a complete error body. */
export function expectRefusal(answer: HttpAnswer, statuses: number[], { id, field }: ExpectedRefusal = {}): void {
  expect(statuses.includes(answer.status), `got status ${answer.status}, expected ${statuses.join(' or ')}`)
  const bodyFaults = faults(ErrorBody, answer.json)
  const faultText = bodyFaults.map(({ path, message }) => `${path || 'body'} ${message}`).join('; ')
  expect(bodyFaults.length === 0, `the refusal is not the error body of D3 §7: ${faultText}`)
  const { request_id, error } = fieldsOf(answer.json)
  if (id !== undefined)
    expect(request_id === null || request_id === id, `request_id of the refusal is ${request_id}, not ${id}`)
  if (field === undefined) return
  const { fields } = fieldsOf(error)
  const paths = Array.isArray(fields) ? fields.map((each) => String(fieldsOf(each).path)) : []
  const isNamed = paths.some((path) => path === field || path.split(/[./]/).at(-1) === field)
  expect(isNamed, `error.fields does not name ${field}`)
}

/**
 * Passes when an event is refused at once, or stored and reported by EVENT_PROCESSING_FAILED. Returns whether it was
 * stored.
 */
export async function expectFailure(
  run: Run,
  raw: Buffer,
  { statuses, codes }: { statuses: number[]; codes: string[] },
) {
  const answer = await run.postEvent(raw)
  const eventId = String(fieldsOf(JSON.parse(raw.toString('utf8'))).event_id)
  if (answer.status !== 202 && answer.status !== 200) {
    expectRefusal(answer, statuses, { id: eventId })
    return false
  }
  const startedAt = Date.now()
  const { waitSeconds } = run.settings
  while (!run.failureOf(eventId)) {
    if (Date.now() - startedAt > waitSeconds * 1000)
      throw new Violation(`the event was stored, but no EVENT_PROCESSING_FAILED came within ${waitSeconds} s`)
    await pause(40)
  }
  const code = String(run.failureOf(eventId)?.data.code)
  expect(codes.includes(code), `EVENT_PROCESSING_FAILED has the code ${code}, not ${codes.join(' or ')}`)
  return true
}

/** Sends an event that must fail. If it was refused at once, its entity version can be reused. */
export async function expectStepToFail(run: Run, step: string, raw: Buffer, codes: string[]): Promise<void> {
  const isStored = await expectFailure(run, raw, { statuses: [400, 403, 409, 422], codes })
  if (isStored) return
  run.releaseVersion(step)
}
