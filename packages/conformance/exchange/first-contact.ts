// The first requests of a run: whether the tested side answers at all, and whether the clocks of both sides differ.

import { CannotBegin } from './check-result.ts'
import type { TestedSide } from './run-credentials.ts'
import { type HttpAnswer, send } from './send-request.ts'

/** Requests without a credential, which change nothing. */
const requests: Record<TestedSide, [method: string, path: string][]> = {
  partner: [
    ['GET', '/status'],
    ['POST', '/events'],
    ['POST', '/dedupe'],
  ],
  platform: [['POST', '']],
}

const timeoutMs = 10_000
/** `Date` has whole seconds, and an answer may take some. */
const leastDifference = 5
const mostDifference = 300

/** Says how much the clocks differ. Throws `CannotBegin` unless a request is answered with JSON, as D3 §7 requires. */
export async function meet(testedSide: TestedSide, url: string, say: (text: string) => void): Promise<void> {
  const answers = await Promise.allSettled(
    requests[testedSide].map(async ([method, path]) => {
      const answer = await send({ method, url: `${url}${path}`, headers: {}, timeoutMs })
      return { ...answer, receivedAt: Date.now() }
    }),
  )
  const [first] = answers
  const answered = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const answer = answered.find(({ json }) => json !== null) ?? answered[0]
  if (!answer) throw new CannotBegin(first?.status === 'rejected' ? String(first.reason.message) : 'nothing answered')
  sayClockDifference(answer, say)
  if (answer.json === null)
    throw new CannotBegin(
      `${url} answers ${answer.status} without the JSON of D3 §7: this is no ${testedSide}; check the URL, which has no /dedupe and so on`,
    )
}

type TimedAnswer = HttpAnswer & { receivedAt: number }

function sayClockDifference({ headers: { date }, receivedAt }: TimedAnswer, say: (text: string) => void): void {
  const seconds = Math.round((Date.parse(String(date)) - receivedAt) / 1000)
  if (Number.isNaN(seconds) || Math.abs(seconds) < leastDifference) return
  const difference = `the clock of the tested side is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this one`
  say(
    Math.abs(seconds) > mostDifference
      ? `${difference}: beyond ${mostDifference} s every event is refused (D3 §5.2); set both clocks first`
      : difference,
  )
}
