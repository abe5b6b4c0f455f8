// The actions on a journey that are possible now, each with a button.

import type { ActAvailability, EventsReply, JourneyHead } from '@lendloom/wire/console/journeys'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { ofTenant } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { labelOf } from '../ui/code-labels.ts'
import { SmallButton, Trouble } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, useAct, useForm } from '../ui/form.tsx'
import { countText } from '../ui/format-figures.ts'
import { actNames } from './journey-texts.ts'

interface ActsProps {
  head: JourneyHead
  onDone(): void
  onReplay(): void
}

type ListedAct = Exclude<ActAvailability['act'], 'reveal'>
type ShownAct = ActAvailability & { act: ListedAct }

/** Hides acts that are not possible for this user or now, and the act that the banner has. */
const isShown = (each: ActAvailability): each is ShownAct =>
  each.possible && each.act !== 'reveal' && each.act !== 'replay-deliveries'

export function Acts({ head, onDone, onReplay }: ActsProps) {
  const isMovingOn = useSignal(false)
  const message = useSignal('')
  const act = useAct()
  const resend = (part: 'replay-events' | 'retry-events') =>
    act.run(async () => {
      const { count } = await post<EventsReply>(ofTenant(`/journeys/${head.journeyId}/${part}`))
      message.value = `${countText(count, 'event')} ${part === 'replay-events' ? 'resent' : 'retried'}.`
    }, onDone)
  const handlers: Record<ListedAct, () => void> = {
    'replay-deliveries': onReplay,
    'replay-events': () => resend('replay-events'),
    'retry-events': () => resend('retry-events'),
    'move-on': () => assign(isMovingOn, true),
  }
  const shownActs = head.acts.filter(isShown)
  if (shownActs.length === 0 && message.value === '') return null
  return (
    <section class="card">
      <h2>Actions</h2>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <ul class="offers">
        {shownActs.map((each) => (
          <Act key={each.act} act={each} onStart={handlers[each.act]} />
        ))}
      </ul>
      <p role="status" class="good-words">
        {message.value}
      </p>
      {isMovingOn.value && <ActAsBorrower head={head} onClose={() => assign(isMovingOn, false)} onDone={onDone} />}
    </section>
  )
}

const Act = ({ act: { act, count }, onStart }: { act: ShownAct; onStart(): void }) => (
  <li>
    <span class="spread">
      <span>
        {actNames[act]}
        {count !== null && count > 0 && ` (${count})`}
      </span>
      <SmallButton onClick={onStart}>{shortNames[act]}</SmallButton>
    </span>
  </li>
)

const shortNames: Record<ListedAct, string> = {
  'replay-deliveries': 'Replay',
  'replay-events': 'Resend',
  'retry-events': 'Retry',
  'move-on': 'Play the borrower',
}

function ActAsBorrower({ head, onClose, onDone }: { head: JourneyHead; onClose(): void; onDone(): void }) {
  const laterStatuses = statuses.slice(statuses.indexOf(head.status) + 1)
  const target = useSignal<string>(laterStatuses[0] ?? head.status)
  const act = useForm(['to'])
  async function submit(): Promise<void> {
    await post(ofTenant(`/journeys/${head.journeyId}/move-on`), { to: target.value })
    onDone()
    onClose()
  }
  return (
    <Dialog title="Play the borrower" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Start">
        <p>
          The sandbox fills in forms, chooses an offer, signs, and waits for the lender, step by step. The timeline
          shows each step.
        </p>
        <Choice
          label="Until the journey is"
          value={target.value}
          options={laterStatuses.map((each) => [each, labelOf(each)])}
          fault={act.faults.to}
          onValue={(value) => assign(target, value)}
        />
      </Form>
    </Dialog>
  )
}
