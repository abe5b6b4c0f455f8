// The list of outgoing mail, with the mail server's last response and a retry.

import { mailKinds, mailStates } from '@lendloom/wire/console/lists'
import type { ListedMail, MailCounts, Mails } from '@lendloom/wire/console/mail'
import { post } from '../api.ts'
import { query, setQuery, to, toOf } from '../router.ts'
import { tenantId } from '../session.ts'
import { inIndiaAs, now } from '../ui/clock.ts'
import { Badge, Empty, SmallButton, Time, Trouble } from '../ui/components.tsx'
import { NoMatch, Select } from '../ui/filter.tsx'
import { useAct } from '../ui/form.tsx'
import { countText } from '../ui/format-figures.ts'
import { type Column, Table, useList, useResource } from '../ui/list.tsx'
import { useRefresh } from '../ui/periodic-refresh.ts'
import { mayAct } from './access.ts'
import { kindNames, stateWords } from './mail-texts.ts'

export function Outgoing() {
  const filters = { state: query.value('state'), kind: query.value('kind') }
  const list = useList<ListedMail>('/mail', { tenantId: tenantId.value, ...filters })
  const firstPage = useResource<Mails>('/mail', { tenantId: tenantId.value, limit: '1' })
  const act = useAct()
  const onRetry = ({ mailId }: ListedMail) =>
    act.run(
      () => post(`/mail/${mailId}/send-again`),
      () => {
        list.reload()
        firstPage.reload()
      },
    )
  useRefresh(() => {
    list.refresh()
    firstPage.refresh()
  })
  const isFiltered = filters.state !== '' || filters.kind !== ''
  return (
    <section>
      <h2>Outgoing</h2>
      <Counts counts={firstPage.value?.counts} />
      <div class="filters">
        <Select
          name="state"
          label="State"
          any="Any state"
          options={mailStates.map((each) => [each, stateWords[each][1]])}
        />
        <Select name="kind" label="About" any="Any topic" options={mailKinds.map((each) => [each, kindNames[each]])} />
      </div>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <Table
        label="Outgoing mail"
        list={list}
        keyOf={({ mailId }) => mailId}
        columns={columnsFor(onRetry)}
        groupOf={({ createdAt }) => inIndiaAs('date', createdAt)}
        isOneLine
        empty={isFiltered ? <NoMatch title="No mail matches these filters" filters={['state', 'kind']} /> : <NoMail />}
      />
    </section>
  )
}

/** Counts of mails that may need attention; a click on a count filters the list. */
const Counts = ({ counts }: { counts: MailCounts | undefined }) => (
  <ul class="counts above-filters">
    <Count number={counts?.waiting} text="Waiting" state="QUEUED" />
    <Count number={counts?.givenUp} text="Given up" state="FAILED" isBad />
  </ul>
)

interface CountProps {
  number: number | undefined
  text: string
  state: string
  isBad?: boolean
}

function Count({ number, text, state, isBad = false }: CountProps) {
  const isOn = query.value('state') === state
  return (
    <li class={isBad && number ? 'bad' : ''}>
      <button type="button" aria-pressed={isOn} onClick={() => setQuery({ state: isOn ? '' : state })}>
        <strong>{numberText(number)}</strong> {text}
      </button>
    </li>
  )
}

const numberText = (number: number | undefined): string => number?.toLocaleString('en-IN') ?? '–'

const columnsFor = (onRetry: (mail: ListedMail) => void): Column<ListedMail>[] => [
  {
    head: 'Mail',
    cell: (mail) => (
      <>
        <strong title={mail.subject}>{mail.subject}</strong>
        {mail.files > 0 && <span class="quiet"> · {countText(mail.files, 'file')}</span>}
        <span class="quiet small narrow">
          to {mail.to} · <About mail={mail} />
        </span>
        {mail.answer !== null && mail.state !== 'SENT' && (
          <span class="small block server-said narrow">{mail.answer}</span>
        )}
      </>
    ),
  },
  { head: 'To', isMinor: true, cell: ({ to: address }) => address },
  { head: 'About', isMinor: true, cell: (mail) => <About mail={mail} /> },
  {
    head: 'State',
    isState: true,
    cell: (mail) => (
      <>
        <State mail={mail} />
        {mayAct() && (
          <span class="narrow">
            <RetryButton mail={mail} onRetry={onRetry} />
          </span>
        )}
      </>
    ),
  },
  ...(tenantId.value === ''
    ? [{ head: 'Tenant', isMinor: true, cell: ({ tenant }: ListedMail) => tenant ?? 'The platform' }]
    : []),
  { head: 'Queued', isNumber: true, isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ...(mayAct()
    ? [
        {
          head: '',
          isNumber: true,
          isMinor: true,
          cell: (mail: ListedMail) => <RetryButton mail={mail} onRetry={onRetry} />,
        },
      ]
    : []),
]

function State({ mail: { state, nextTryAt, answer } }: { mail: ListedMail }) {
  const [tone, text] = stateWords[state]
  return (
    <>
      <Badge tone={tone}>{text}</Badge>{' '}
      {answer !== null && state !== 'SENT' && (
        <span class="quiet small minor" title={answer}>
          {answer}{' '}
        </span>
      )}
      <span class="quiet small">
        {nextTryAt !== null && (isDue(nextTryAt) ? 'sending now' : <NextTry at={nextTryAt} />)}
      </span>
    </>
  )
}

const NextTry = ({ at }: { at: string }) => (
  <>
    next try <Time at={at} />
  </>
)

const isDue = (at: string): boolean => Date.parse(at) <= now()

const RetryButton = ({ mail, onRetry }: { mail: ListedMail; onRetry(mail: ListedMail): void }) =>
  mail.state === 'SENT' || (mail.nextTryAt !== null && isDue(mail.nextTryAt)) ? null : (
    <SmallButton onClick={() => onRetry(mail)}>{mail.state === 'FAILED' ? 'Send again' : 'Try now'}</SmallButton>
  )

/** The topic of the mail, as a link to the page of its subject if there is one. */
function About({ mail: { kind, subjectId, tenantId: tenant, isCancellation } }: { mail: ListedMail }) {
  const name = isCancellation ? 'Cancellation' : kindNames[kind]
  if (kind === 'complaint') return <a href={to('complaints', subjectId)}>{name}</a>
  if (kind === 'webhook-alert' && tenant !== null) return <a href={toOf(tenant, 'webhooks', subjectId)}>{name}</a>
  return <>{name}</>
}

const NoMail = () => (
  <Empty title="No mail yet">
    <p>
      Replies to complaints, invitations and alerts appear here when they are queued, each with the mail server’s
      response.
    </p>
  </Empty>
)
