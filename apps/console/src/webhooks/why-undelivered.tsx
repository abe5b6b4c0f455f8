// Why updates do not arrive: at an endpoint and at a delivery, with the cause, what to do and how long we retry.

import { Icon } from '@lendloom/design/icon'
import { check } from '@lendloom/design/icons'
import { capitalize } from '@lendloom/foundation/text'
import type { DeliveryDetail, Endpoint, TestResult } from '@lendloom/wire/console/webhooks'
import {
  adviceText,
  answerText,
  causeText,
  isSignatureDoubtful,
  isUrlDoubtful,
} from '@lendloom/wire/webhook/answer-text-en'
import type { ComponentChildren } from 'preact'
import { to } from '../router.ts'
import { momentText, now } from '../ui/clock.ts'
import { Failed, Time } from '../ui/components.tsx'
import { cappedCount, countText, duration } from '../ui/format-figures.ts'
import { mayAct } from './access.ts'

interface ObstacleProps {
  endpoint: Endpoint
  /** Whether a test was accepted, and no delivery has failed since. */
  isTested: boolean
}

/** What keeps an endpoint from receiving updates, if anything does. */
export function Obstacle({ endpoint, isTested }: ObstacleProps) {
  const { health, pausedAt, disabledAt, disabledBecause, waiting, missed, untriedSince } = endpoint
  if (health === 'paused' && pausedAt)
    return (
      <p class="notice">
        <strong>Paused</strong> <Time at={pausedAt} />: {cappedCount(waiting)} updates wait. They are sent in order when
        you resume it.
      </p>
    )
  if (health === 'disabled' && disabledAt)
    return (
      <p class="notice bad">
        <Failed>Disabled</Failed> <Time at={disabledAt} />: {disabledBecause}. Enable it again, then replay the stopped
        updates.
      </p>
    )
  if (untriedSince && !isTested) return <Untried endpoint={endpoint} since={untriedSince} />
  if (health === 'failing' && !isTested) return <Failing endpoint={endpoint} />
  if (missed)
    return (
      <p class="notice warn">
        {missed === 1 ? 'One update was' : `${cappedCount(missed)} updates were`} missed.{' '}
        {isTested || health === 'delivering'
          ? 'Replay missed updates below.'
          : 'Send a test, then replay missed updates.'}
      </p>
    )
  return null
}

export const failureText = (answer: string): string => `the endpoint ${causeText(answer)}. ${adviceText(answer)}`

export interface SentTest extends Pick<TestResult, 'isSuccess' | 'answer' | 'tookMs'> {
  at: string
}

interface TestNoteProps {
  endpoint: Endpoint
  test: SentTest
}

export function TestNote({ endpoint: { pausedAt, disabledAt, waiting }, test }: TestNoteProps) {
  const { isSuccess, answer, tookMs, at } = test
  const isSending = isSuccess && waiting > 0 && !pausedAt && !disabledAt
  return (
    <p class={`notice ${isSuccess ? 'good' : 'bad'}`} role="status">
      {isSuccess ? (
        <strong>
          <Icon path={check} /> Test accepted
        </strong>
      ) : (
        <Failed>Test failed</Failed>
      )}
      , <Time at={at} exact />: {isSuccess ? `${answerText(answer)} after ${duration(tookMs)}. ` : failureText(answer)}
      {isSending &&
        `${cappedCount(waiting)} waiting ${waiting === 1 ? 'update is on its' : 'updates are on their'} way, in order.`}
    </p>
  )
}

const Untried = ({ endpoint: { nextTryAt, missed }, since }: { endpoint: Endpoint; since: string }) => (
  <p class="notice warn">
    <strong>Not tried</strong> since it was enabled or its URL was changed, <Time at={since} exact />. Send a test, or
    wait for{' '}
    {nextTryAt ? (
      <>
        the next try (<Time at={nextTryAt} exact />)
      </>
    ) : (
      'the next update'
    )}
    .{missed > 0 && ` Once it accepts a test, replay the missed updates (${cappedCount(missed)}) below.`}
  </p>
)

function Failing({ endpoint }: { endpoint: Endpoint }) {
  const { lastFailure: last, failingSince, lastSuccessAt, nextTryAt, retries, missed } = endpoint
  return (
    <div class="notice bad">
      <p>
        <Failed>{last ? capitalize(causeText(last.answer)) : 'Failing'}</Failed>
        {failingSince && `, since ${momentText(failingSince)}`}.{' '}
        {lastSuccessAt
          ? `The last success was at ${momentText(lastSuccessAt)}.`
          : 'No delivery succeeded in the last day.'}
      </p>
      <dl class="remedy">
        {last && (
          <Step name="What to do">
            <Advice answer={last.answer} endpointId={endpoint.endpointId} deliveryId={last.deliveryId} /> The last try
            was <Time at={last.at} exact />.{' '}
            <a href={to('webhooks', 'deliveries', last.deliveryId)}>See the last try</a>
          </Step>
        )}
        <Step name="Retries">
          We try each update {countText(retries.tries, 'time')} within {duration(retries.seconds * 1000)}
          {nextTryAt && Date.parse(nextTryAt) > now() && (
            <>
              {' '}
              (next try: <Time at={nextTryAt} exact />)
            </>
          )}
          . After that it counts as missed until you replay it.
        </Step>
        <Step name="Repair">
          Once your server is fixed, send a test. Waiting updates then arrive in order
          {missed > 0 && `; replay the missed ones (${cappedCount(missed)}) below`}.
        </Step>
      </dl>
    </div>
  )
}

const Step = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface AdviceProps {
  answer: string
  endpointId: string | null
  deliveryId: string
}

const Advice = ({ answer, endpointId, deliveryId }: AdviceProps) =>
  endpointId && isSignatureDoubtful(answer) ? (
    <>
      <a href={checkerLink(endpointId, deliveryId)}>{adviceText(answer)}</a> Most often the server has another secret
      {mayAct() && (
        <>
          : <a href={withQuery(to('webhooks', endpointId), { open: 'rotate' })}>rotate it</a>
        </>
      )}
      .
    </>
  ) : endpointId && isUrlDoubtful(answer) && mayAct() ? (
    <a href={withQuery(to('webhooks', endpointId), { open: 'change' })}>{adviceText(answer)}</a>
  ) : (
    adviceText(answer)
  )

const withQuery = (href: string, query: Record<string, string>): string =>
  `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`

const checkerLink = (endpointId: string, deliveryId: string): string =>
  withQuery(to('webhooks', 'signature'), { endpoint: endpointId, delivery: deliveryId })

/** Why a delivery has not arrived yet, if it has not. */
export function Waiting({ delivery }: { delivery: DeliveryDetail }) {
  const { waitsFor, behindDeliveryId, behindSequence, state, endpointId } = delivery
  if (waitsFor === 'paused')
    return (
      <p class="notice">
        <strong>Waiting:</strong> the endpoint is paused.{' '}
        {endpointId && <a href={to('webhooks', endpointId)}>Go to the endpoint to resume it</a>}
      </p>
    )
  if (waitsFor === 'earlier-update' && behindDeliveryId)
    return (
      <p class="notice">
        <strong>Waiting</strong> after update {behindSequence} of the journey, so that they arrive in order.{' '}
        <a href={to('webhooks', 'deliveries', behindDeliveryId)}>See that update</a>
      </p>
    )
  if (state === 'STOPPED') return <p class="notice bad">Stopped because the endpoint was removed or answered 410.</p>
  return state === 'DELIVERED' ? null : <Undelivered delivery={delivery} />
}

function Undelivered({ delivery }: { delivery: DeliveryDetail }) {
  const { state, lastAnswer, endpointId, deliveryId, nextAttemptAt, lastTryAt } = delivery
  const isGivenUp = state === 'EXHAUSTED'
  if (!lastAnswer && !isGivenUp) return null
  return (
    <div class="notice bad">
      {lastAnswer && (
        <p>
          <Failed>The receiver {causeText(lastAnswer)}.</Failed>{' '}
          <Advice answer={lastAnswer} endpointId={endpointId} deliveryId={deliveryId} />
        </p>
      )}
      <p>
        {isGivenUp
          ? `Given up after ${triesText(delivery)}. It waits here until you replay it.`
          : nextAttemptAt && (
              <>
                {lastTryAt && `We try until ${momentText(lastTryAt)}, then it waits here until you replay it. `}
                Next try: {Date.parse(nextAttemptAt) > now() ? <Time at={nextAttemptAt} /> : 'now'}
              </>
            )}
      </p>
    </div>
  )
}

/** The number of tries, and how many of them followed the last replay. */
const triesText = ({ totalAttempts, attemptsSinceReplay }: DeliveryDetail): string =>
  countText(totalAttempts, 'try', 'tries') +
  (attemptsSinceReplay < totalAttempts ? `, ${attemptsSinceReplay} since it was replayed` : '')
