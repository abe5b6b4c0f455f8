// Key figures of an endpoint.

import type { Endpoint } from '@lendloom/wire/console/webhooks'
import type { ComponentChildren } from 'preact'
import { ago } from '../ui/clock.ts'
import { cappedCount, duration } from '../ui/format-figures.ts'
import { Answers } from './endpoints.tsx'

export const Figures = ({
  endpoint,
  endpoint: { lastDay, waiting, waitingSince, missed, lastAnswers, untriedSince, oldSecretUntil },
}: {
  endpoint: Endpoint
}) => (
  <dl class="figures">
    <Figure name="Delivered, last day" about={`${cappedCount(lastDay.retried)} needed more than one try`}>
      {cappedCount(lastDay.delivered)}
    </Figure>
    <Figure
      name="Median answer"
      about={lastDay.p95Ms === null ? 'none in the last day' : `95% within ${duration(lastDay.p95Ms)}`}
    >
      {duration(lastDay.p50Ms)}
    </Figure>
    <Figure name="Waiting" about={waitingSince ? `oldest: ${ago(waitingSince)}` : 'none waiting'}>
      {cappedCount(waiting)}
    </Figure>
    <Figure name="Missed in 30 days" about="given up or stopped">
      {cappedCount(missed)}
    </Figure>
    <Figure
      name="Last results"
      about={
        oldSecretUntil
          ? `old secret ends ${ago(oldSecretUntil)}`
          : lastAnswers.length > 0
            ? isOld(lastAnswers, untriedSince)
              ? 'before the change'
              : 'oldest to newest'
            : 'in the last day'
      }
    >
      <Answers endpoint={endpoint} />
    </Figure>
  </dl>
)

const isOld = (answers: Endpoint['lastAnswers'], since: string | null): boolean =>
  since !== null && answers.every(({ at }) => at < since)

interface FigureProps {
  name: string
  about: string
  children: ComponentChildren
}

const Figure = ({ name, about, children }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
    <dd class="quiet small">{about}</dd>
  </div>
)
