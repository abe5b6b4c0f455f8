// A labelled bar with the outcomes of requests to a lender.

import type { Answers } from '@lendloom/wire/console/lenders'
import { number } from '../ui/format-figures.ts'
import { requestsOf } from './lender-texts.ts'

const outcomes = [
  ['answered', 'on time'],
  ['late', 'late'],
  ['refused', 'rejected'],
  ['silent', 'not answered'],
  ['unreached', 'not reached'],
  ['waiting', 'waiting'],
] as const

const summaryOf = (answers: Answers): string =>
  outcomes
    .filter(([name]) => answers[name] > 0)
    .map(([name, word]) => `${number(answers[name])} ${word}`)
    .join(', ')

/** Splits the bar into about ten parts; each outcome that occurs has at least one part. */
function partsOf(answers: Answers): (typeof outcomes)[number][0][] {
  const total = requestsOf(answers)
  return outcomes.flatMap(([name]) =>
    answers[name] === 0 ? [] : Array<typeof name>(Math.max(1, Math.round((answers[name] * 10) / total))).fill(name),
  )
}

export const AnswerBar = ({ answers }: { answers: Answers }) =>
  requestsOf(answers) === 0 ? (
    <span class="quiet">Nothing yet</span>
  ) : (
    <span class="answer-bar">
      <span class="bar" role="img" aria-label={summaryOf(answers)} title={summaryOf(answers)}>
        {partsOf(answers).map((name, i) => (
          <i key={i} class={name} />
        ))}
      </span>
      <span class="quiet small block">{summaryOf(answers)}</span>
    </span>
  )
