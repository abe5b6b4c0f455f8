// The page of a complaint: state, thread, reply form and facts.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ComplaintAct, ComplaintDetail, RevealedComplaint } from '#contract/console/complaints.ts'
import { languageFacts } from '#contract/language.ts'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { useAct } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'
import { Badge, Day, Loading, Time, Trouble } from '../ui/parts.tsx'
import { shortId } from '../ui/words.ts'
import { Composer } from './composer.tsx'
import { type ComplaintDialog, Dialogs } from './dialogs.tsx'
import { Deadlines, Fact, Notices } from './notices.tsx'
import { Suggestions } from './suggestions.tsx'
import { Thread } from './thread.tsx'
import { api, categoryNames, isOfficer, originNames, outcomeText, routeNames, statusWords } from './words.ts'

const refreshMs = 10_000

export function ComplaintPage({ complaintId }: { complaintId: string }) {
  const { value, error, reload } = useResource<ComplaintDetail>(`/complaints/${complaintId}`, {
    tenantId: tenantId.value,
  })
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), refreshMs)
    return () => clearInterval(timer)
  }, [])
  if (error && !value) return <Trouble error={error} retry={reload} />
  return value ? <Complaint complaint={value} reload={reload} /> : <Loading />
}

function Complaint({ complaint, reload }: { complaint: ComplaintDetail; reload(): void }) {
  const { complaintId, version } = complaint
  const openDialog = useSignal<ComplaintDialog | null>(null)
  const revealed = useSignal<RevealedComplaint | null>(null)
  const act = useAct()
  const setDialog = (dialog: ComplaintDialog | null) => assign(openDialog, dialog)
  const run = (part: string, body: object = { version }) =>
    void act.run(() => post(api(`/${complaintId}/${part}`), body), reload)
  const isAllowed = (name: ComplaintAct) => complaint.acts.includes(name)
  return (
    <>
      <Head complaint={complaint}>
        <Acts complaint={complaint} onAsk={setDialog} onRun={run} />
      </Head>
      {act.problem ? <Trouble error={act.problem} retry={reload} /> : null}
      <Notices complaint={complaint} onMatch={isAllowed('match') ? () => setDialog('match') : null} />
      {isAllowed('match') && complaint.suggestions.length > 0 && (
        <Suggestions complaint={complaint} onMatch={(journeyId) => run('match', { version, journeyId })} />
      )}
      <div class="complaint">
        <div>
          <Cancellation complaint={complaint} />
          <Thread
            complaint={complaint}
            words={revealed.value?.words ?? {}}
            onSettle={(entryId, accept) => run(`entries/${entryId}/settle`, { version, accept })}
            onSendAgain={(mailId) => run(`mails/${mailId}/send-again`, {})}
          />
          {(isAllowed('answer') || isAllowed('note')) && <Composer complaint={complaint} onDone={reload} />}
        </div>
        <aside>
          <Facts complaint={complaint} revealed={revealed.value} onAsk={setDialog} />
          <Deadlines complaint={complaint} />
          <Officers complaint={complaint} />
          {isOfficer() && <ExportCard onAsk={() => setDialog('export')} />}
        </aside>
      </div>
      <Dialogs
        openDialog={openDialog.value}
        complaint={complaint}
        onRevealed={(data) => assign(revealed, data)}
        onClose={() => setDialog(null)}
        onDone={() => {
          setDialog(null)
          reload()
        }}
      />
    </>
  )
}

interface ActsProps {
  complaint: ComplaintDetail
  onAsk(dialog: ComplaintDialog): void
  /** Runs an action that needs no dialog. */
  onRun(part: 'reopen' | 'seen'): void
}

function Acts({ complaint: { acts, others }, onAsk, onRun }: ActsProps) {
  return (
    <>
      {acts.includes('seen') && <ActButton text="Mark as seen" onClick={() => onRun('seen')} />}
      {acts.includes('forward') && <ActButton text="Forward to lender" onClick={() => onAsk('forward')} />}
      {acts.includes('escalate') && <ActButton text="Escalate" onClick={() => onAsk('escalate')} />}
      {acts.includes('merge') && others.length > 0 && <ActButton text="Merge" onClick={() => onAsk('merge')} />}
      {acts.includes('reopen') && <ActButton text="Reopen" onClick={() => onRun('reopen')} />}
      {acts.includes('close') && <ActButton text="Close" onClick={() => onAsk('close')} />}
    </>
  )
}

const ActButton = ({ text, onClick }: { text: string; onClick(): void }) => (
  <button type="button" class="secondary" onClick={onClick}>
    {text}
  </button>
)

/** Whether the last message of a pending complaint is the lender's. */
const hasLenderAnswered = ({ dueAt, thread }: ComplaintDetail): boolean =>
  dueAt !== null &&
  thread.findLast(({ kind }) => ['WORDS', 'QUESTION', 'RESOLUTION'].includes(kind))?.author === 'LENDER'

const Head = ({ complaint, children }: { complaint: ComplaintDetail; children: ComponentChildren }) => (
  <>
    <nav aria-label="Breadcrumbs" class="crumbs">
      <a href={to('grievances')}>Grievances</a>
    </nav>
    <div class="page-head">
      <div>
        <h1>
          <span class="number-of">{complaint.number}</span>{' '}
          <Badge tone={statusWords[complaint.status][0]}>{statusWords[complaint.status][1]}</Badge>{' '}
          {hasLenderAnswered(complaint) && <Badge tone="warn">Lender has answered</Badge>}{' '}
          {complaint.repliedAt && <Badge tone="warn">Borrower replied</Badge>}
        </h1>
        <p class="quiet">
          {categoryNames[complaint.category]} · received {originNames[complaint.origin]}{' '}
          <Time at={complaint.receivedAt} /> · {complaint.tenant ?? 'no tenant'}
        </p>
      </div>
      <div class="acts">{children}</div>
    </div>
  </>
)

interface FactsProps {
  complaint: ComplaintDetail
  revealed: RevealedComplaint | null
  onAsk(dialog: ComplaintDialog): void
}

const ChangeButton = ({ text, label, onClick }: { text: string; label: string; onClick(): void }) => (
  <button type="button" class="link-button" aria-label={`${label}: ${text}. Change it`} onClick={onClick}>
    {text}
  </button>
)

function Facts({ complaint, revealed, onAsk }: FactsProps) {
  const { acts, assignee, category, route, lender, grievanceStatus, journeyId, language, reopened } = complaint
  const contact = revealed ?? complaint
  const assigneeName = assignee?.name ?? 'Unassigned'
  return (
    <section class="card">
      <h2>Complaint</h2>
      <dl class="facts">
        <Fact name="Assigned to">
          {acts.includes('assign') ? (
            <ChangeButton label="Assigned to" text={assigneeName} onClick={() => onAsk('assign')} />
          ) : (
            assigneeName
          )}
        </Fact>
        <Fact name="About">
          {acts.includes('categorize') ? (
            <ChangeButton label="About" text={categoryNames[category]} onClick={() => onAsk('category')} />
          ) : (
            categoryNames[category]
          )}
        </Fact>
        <Fact name="Who answers">{routeNames[route]}</Fact>
        <Fact name="Lender">{lender}</Fact>
        <Fact name="At the lender">{grievanceStatus?.replaceAll('_', ' ').toLowerCase() ?? null}</Fact>
        <Fact name="Journey">{journeyId && <a href={to('journeys', journeyId)}>{shortId(journeyId)}</a>}</Fact>
        <Fact name="Name">{contact.name}</Fact>
        <Fact name="Email">{contact.email ?? 'Unknown'}</Fact>
        <Fact name="Mobile">{contact.mobile}</Fact>
        <Fact name="Language">{languageFacts[language].english}</Fact>
        <Fact name="Reopened">{reopened > 0 && (reopened === 1 ? 'once' : `${reopened} times`)}</Fact>
      </dl>
      {acts.includes('reveal') && !revealed && (
        <p>
          <button type="button" class="secondary small" onClick={() => onAsk('reveal')}>
            Reveal masked data
          </button>
        </p>
      )}
    </section>
  )
}

const exitStates = {
  AWAITED: {
    payment: 'not yet arrived in full',
    next: 'A transfer of the last day may be reported some days later. Without one, this request is closed.',
  },
  HELD: { payment: 'arrived, held by the lender', next: 'The lender records the cancellation, with this number.' },
  POSTED: {
    payment: 'arrived, posted as a repayment',
    next: 'The lender records the cancellation with this number and the day of the request. This corrects the posting.',
  },
  LATE: {
    payment: 'after the last day, so it counts as a repayment',
    next: 'This request is closed, unless a message was added to it.',
  },
} as const

const Cancellation = ({ complaint }: { complaint: ComplaintDetail }) =>
  complaint.exit ? (
    <PendingCancellation complaint={complaint} exit={complaint.exit} />
  ) : (
    <EndedCancellation complaint={complaint} />
  )

interface CancellationProps {
  complaint: ComplaintDetail
  exit: NonNullable<ComplaintDetail['exit']>
}

function PendingCancellation({ complaint: { lender, exitEndsAt }, exit }: CancellationProps) {
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
        <Fact name="Closed if unpaid">{payment === 'AWAITED' && exitEndsAt && <Day on={exitEndsAt} />}</Fact>
        <Fact name="Last day to pay">{payment !== 'AWAITED' && <Day on={payBy} />}</Fact>
        <Fact name="Received">{received}</Fact>
        <Fact name="Paid on">{paidLateOn && <Day on={paidLateOn} />}</Fact>
        <Fact name="Payment">{state.payment}</Fact>
        <Fact name="Next">{state.next}</Fact>
      </dl>
    </section>
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

type Contact = ComplaintDetail['officers']['platform']['officer']

const Officer = ({ title, officer: { name, email, phone } }: { title: string; officer: Contact }) =>
  name || email ? (
    <div class="officer">
      <dt>{title}</dt>
      <dd>
        {name}
        {email && <span class="quiet small block">{email}</span>}
        {phone && <span class="quiet small block">{phone}</span>}
      </dd>
    </div>
  ) : null

const Officers = ({ complaint: { officers, lender } }: { complaint: ComplaintDetail }) => (
  <section class="card">
    <h2>Officers</h2>
    <dl class="facts">
      <Officer title="Our grievance officer" officer={officers.platform.officer} />
      <Officer title="Our nodal officer" officer={officers.platform.nodal} />
      {officers.lender && <Officer title={lender ?? 'Lender'} officer={officers.lender.officer} />}
    </dl>
  </section>
)

const ExportCard = ({ onAsk }: { onAsk(): void }) => (
  <section class="card">
    <h2>Export</h2>
    <p class="quiet small">The whole thread, unmasked. The audit log records who exported it and why.</p>
    <div class="acts">
      <button type="button" class="secondary" onClick={onAsk}>
        Export
      </button>
    </div>
  </section>
)
