// A request to cancel a loan: the payment, its last day, the next act, or the outcome.
import type { ComplaintDetail } from '@lendloom/wire/console/complaints'
import { Day } from '../ui/components.tsx'
import type { ComplaintDialog } from './complaint-dialogs.tsx'
import { outcomeText } from './complaint-texts.ts'
import { Fact } from './notices.tsx'

const exitStates = {
  AWAITED: {
    payment: null,
    next: null,
    act: null,
  },
  HELD: {
    payment: 'arrived, held by the lender',
    next: 'The lender records the cancellation, with this number.',
    act: 'forward',
  },
  POSTED: {
    payment: 'arrived, posted as a repayment',
    next: 'The lender records the cancellation with this number and the day of the request. This corrects the posting.',
    act: 'forward',
  },
  LATE: {
    payment: 'after the last day, so it counts as a repayment',
    next: 'This request is closed, unless a message was added to it.',
    act: 'close',
  },
} as const

interface CancellationProps {
  complaint: ComplaintDetail
  onAsk(dialog: ComplaintDialog): void
}

export const Cancellation = ({ complaint, onAsk }: CancellationProps) =>
  complaint.exit ? (
    <PendingCancellation complaint={complaint} exit={complaint.exit} onAsk={onAsk} />
  ) : (
    <EndedCancellation complaint={complaint} />
  )

const Awaited = ({ endsOn }: { endsOn: string | null }) => (
  <>
    The bank may report a transfer of that day some days later. If none arrives, the request is closed
    {endsOn && (
      <>
        {' '}
        on <Day on={endsOn} />
      </>
    )}
    .
  </>
)

interface PendingProps extends CancellationProps {
  exit: NonNullable<ComplaintDetail['exit']>
}

function PendingCancellation({ complaint, exit, onAsk }: PendingProps) {
  const { lender, exitEndsAt } = complaint
  const { payBy, payment, amount, received, paidLateOn } = exit
  const state = exitStates[payment]
  return (
    <section class="card">
      <h2>Cancellation</h2>
      {payment === 'AWAITED' && (
        <p>
          <strong>
            The borrower pays {amount} {lender && `to ${lender} `}by <Day on={payBy} />.
          </strong>
        </p>
      )}
      <dl class="facts">
        <Fact name="Last day to pay">{payment !== 'AWAITED' && <Day on={payBy} />}</Fact>
        <Fact name="Received">{payment === 'AWAITED' ? `${received ?? '₹0'} of ${amount}` : received}</Fact>
        <Fact name="Paid on">{paidLateOn && <Day on={paidLateOn} />}</Fact>
        <Fact name="Payment">{state.payment}</Fact>
      </dl>
      <p class="quiet">{state.next ?? <Awaited endsOn={exitEndsAt} />}</p>
      {state.act && <NextAct complaint={complaint} act={state.act} onAsk={onAsk} />}
    </section>
  )
}

const nextActs = { forward: 'Remind the lender', close: 'Close the request' } as const

function NextAct({ complaint, act, onAsk }: CancellationProps & { act: keyof typeof nextActs }) {
  const { acts, officers, number } = complaint
  const email = act === 'forward' && officers.lender?.officer.email
  if (!acts.includes(act) && !(email && acts.includes('answer'))) return null
  return (
    <div class="acts">
      {acts.includes(act) ? (
        <button type="button" class="primary" onClick={() => onAsk(act)}>
          {nextActs[act]}
        </button>
      ) : (
        <a class="primary" href={`mailto:${email}?subject=${encodeURIComponent(number)}`}>
          {nextActs[act]}
        </a>
      )}
    </div>
  )
}

const EndedCancellation = ({ complaint: { category, exitPayBy, outcome, dueAt } }: { complaint: ComplaintDetail }) =>
  exitPayBy === null || dueAt !== null ? null : (
    <section class="card">
      <h2>Cancellation</h2>
      <dl class="facts">
        <Fact name="Last day to pay">
          <Day on={exitPayBy} />
        </Fact>
        <Fact name="Outcome">{outcome === null ? 'Not paid in time' : outcomeText(category, outcome)}</Fact>
      </dl>
    </section>
  )
