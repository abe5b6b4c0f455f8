// The page of a complaint: its state and actions, thread, reply form, facts, deadlines and officers.

import { languageFacts } from '@lendloom/lending/language'
import type { ComplaintAct, ComplaintDetail, RevealedComplaint } from '@lendloom/wire/console/complaints'
import { useSignal } from '@preact/signals'
import type { ComponentChildren, ComponentProps } from 'preact'
import { useEffect } from 'preact/hooks'
import { post } from '../api.ts'
import { useRecentPage } from '../recent-pages.ts'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { labelOf, shortId } from '../ui/code-labels.ts'
import { Badge, Crumbs, Loading, Time, Trouble } from '../ui/components.tsx'
import { useAct } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'
import { api, isOfficer } from './access.ts'
import { Cancellation } from './cancellation.tsx'
import { type ComplaintDialog, ComplaintDialogs } from './complaint-dialogs.tsx'
import { categoryNames, originNames, routeNames, whoAnswersText } from './complaint-texts.ts'
import { Composer } from './composer.tsx'
import { Deadlines, Fact, Notices, StateBadge } from './notices.tsx'
import { Suggestions } from './suggested-journeys.tsx'
import { Thread } from './thread.tsx'

/** How often the complaint is loaded again while the page is visible. */
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
  useRecentPage('Complaint', `${categoryNames[complaint.category]} · ${complaint.number}`)
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
          <Cancellation complaint={complaint} onAsk={setDialog} />
          <Thread
            complaint={complaint}
            words={revealed.value?.words ?? {}}
            onDecide={(entryId, accept) => run(`entries/${entryId}/settle`, { version, accept })}
            onSendAgain={(mailId) => run(`mails/${mailId}/send-again`, {})}
          />
          <WhoAnswers complaint={complaint} />
          <FoldedComposer complaint={complaint} onDone={reload} />
        </div>
        <aside>
          <Facts complaint={complaint} revealed={revealed.value} onAsk={setDialog} />
          <Deadlines complaint={complaint} />
          <Officers complaint={complaint} />
          {isOfficer() && <ExportCard onAsk={() => setDialog('export')} />}
        </aside>
      </div>
      <ComplaintDialogs
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
  onRun(part: 'reopen' | 'seen'): void
}

function Acts({ complaint: { acts, others, exitPayBy }, onAsk, onRun }: ActsProps) {
  return (
    <>
      {acts.includes('seen') && <ActButton text="Mark as seen" onClick={() => onRun('seen')} />}
      {acts.includes('forward') && <ActButton text="Forward to lender" onClick={() => onAsk('forward')} />}
      {acts.includes('escalate') && <ActButton text="Escalate" onClick={() => onAsk('escalate')} />}
      {acts.includes('merge') && others.length > 0 && <ActButton text="Merge" onClick={() => onAsk('merge')} />}
      {acts.includes('reopen') && <ActButton text="Reopen" onClick={() => onRun('reopen')} />}
      {acts.includes('close') && (
        <ActButton text={`Close the ${exitPayBy ? 'request' : 'complaint'}`} onClick={() => onAsk('close')} />
      )}
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
    <Crumbs href={to('complaints')} name="Complaints" />
    <div class="page-head">
      <div>
        <h1>
          <span class="number-of">{complaint.number}</span> <StateBadge complaint={complaint} />{' '}
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

/** Who answers, and where the answer appears, for a pending complaint that the lender answers. */
function WhoAnswers({ complaint: { route, lender, dueAt, resolvedAt } }: { complaint: ComplaintDetail }) {
  const text = whoAnswersText(route, lender ?? 'The lender')
  return dueAt !== null && resolvedAt === null && text !== '' ? <p class="notice plain">{text}</p> : null
}

/** Decides once whether to fold, because a form that moves in the page loses its draft. */
function FoldedComposer(props: ComponentProps<typeof Composer>) {
  const { acts, exit, repliedAt } = props.complaint
  const isNoteAlone = !acts.includes('answer')
  const isExitAwaited = exit?.payment === 'AWAITED' && !repliedAt && !hasLenderAnswered(props.complaint)
  const isFolded = useSignal(isNoteAlone || isExitAwaited).value
  if (isNoteAlone && !acts.includes('note')) return null
  return isFolded ? (
    <details class="card">
      <summary>{isNoteAlone ? 'Add a note for colleagues' : 'Answer or note'}</summary>
      <Composer {...props} />
    </details>
  ) : (
    <Composer {...props} />
  )
}

interface FactsProps {
  complaint: ComplaintDetail
  revealed: RevealedComplaint | null
  onAsk(dialog: ComplaintDialog): void
}

const FoldedOnPhone = ({ title, children }: { title: string; children: ComponentChildren }) =>
  matchMedia('(max-width: 599px)').matches ? (
    <details class="card about">
      <summary>{title}</summary>
      {children}
    </details>
  ) : (
    <section class="card about">
      <h2>{title}</h2>
      {children}
    </section>
  )

const ChangeButton = ({ text, label, onClick }: { text: string; label: string; onClick(): void }) => (
  <button type="button" class="link-button" aria-label={`${label}: ${text}. Change it`} onClick={onClick}>
    {text}
  </button>
)

function Facts({ complaint, revealed, onAsk }: FactsProps) {
  const { acts, assignee, category, route, lender, grievanceStatus, journeyId, language, reopened, exitPayBy } =
    complaint
  const contact = revealed ?? complaint
  const assigneeName = assignee?.name ?? 'Unassigned'
  return (
    <FoldedOnPhone title={exitPayBy ? 'Request' : 'Complaint'}>
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
        <Fact name="At the lender">{grievanceStatus && labelOf(grievanceStatus)}</Fact>
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
    </FoldedOnPhone>
  )
}

type Contact = ComplaintDetail['officers']['platform']['officer']

const Officer = ({ title, officer: { name, email, phone } }: { title: string; officer: Contact }) =>
  name || email ? (
    <div class="long">
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
