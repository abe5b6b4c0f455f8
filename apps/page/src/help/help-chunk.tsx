// Chunk for help: contacts, the borrower's complaints with answers, and the form for a new complaint.

import { isRequestCategory } from '@lendloom/wire/console/complaint-lists'
import type { EmbedComplaint, EmbedComplaintReply, EmbedComplaints } from '@lendloom/wire/hosted/embed-complaint'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Actions, Button } from '../form/form.tsx'
import { fetchOptional } from '../page/fetch-optional.ts'
import { lastDay, moment } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { Title } from '../page/title.tsx'
import { t, textOf } from '../text.ts'
import { MessageForm, NewComplaint, type Post, withFiles } from './help-forms.tsx'

const pollMs = 10_000

/** Loads the borrower's complaints, polls while the section is open, and sends actions on them. */
function useComplaints() {
  const complaints = useSignal<EmbedComplaints | null>(null)
  const hasFailed = useSignal(false)
  const load = async (): Promise<void> => {
    const answer = await fetchOptional<{ complaints: EmbedComplaints }>('/complaints')
    hasFailed.value = answer === null
    if (answer) complaints.value = answer.complaints
  }
  useEffect(() => {
    void load()
    const timer = setInterval(() => !document.hidden && void load(), pollMs)
    return () => clearInterval(timer)
  }, [])
  const post: Post = (path, body, files = []) =>
    page.session.act<EmbedComplaintReply>(
      { method: 'POST', path: `/complaints${path}`, body: withFiles(body, files) },
      (reply) => {
        complaints.value = reply.complaints
      },
    )
  return { value: complaints.value, failed: hasFailed.value, load, post }
}

function Help({ close }: { close(): void }) {
  const { value, failed, load, post } = useComplaints()
  const { screen, creditLine } = page.view.value
  const back = screen === 'DISBURSED' || screen === 'CLOSED' ? 'help.close.loan' : 'help.close'
  const about = page.aside.value.slice('help:'.length)
  const isFormOpen = useSignal(about !== '')
  const setFormOpen = (isOpen: boolean) => () => {
    isFormOpen.value = isOpen
  }
  return (
    <section class="help">
      <Title lead={value && !value.items.every(isClosed) ? null : t('help.lead')}>{t('help.title')}</Title>
      {failed && !value && <LoadFailure retry={() => void load()} />}
      {value?.items.map((each) => (
        <Complaint key={each.id} complaint={each} post={post} />
      ))}
      {value && isFormOpen.value && (
        <NewComplaint lender={value.lender} about={about} post={post} done={setFormOpen(false)} />
      )}
      {value && !isFormOpen.value && (
        <Actions>
          <Button kind={complainKind(value.items)} onClick={setFormOpen(true)}>
            {t('help.new')}
          </Button>
        </Actions>
      )}
      {value && <Officers isFolded={isFormOpen.value} {...value} />}
      <div class="actions">
        <Button kind="plain" onClick={close}>
          {t(creditLine ? 'help.close.line' : back)}
        </Button>
      </div>
    </section>
  )
}

const LoadFailure = ({ retry }: { retry(): void }) => (
  <div class="notice" role="alert">
    <p>{t('help.failed')}</p>
    <Button kind="plain" onClick={retry}>
      {t('help.again')}
    </Button>
  </div>
)

/** Beside an open request, complaining is not what the borrower came for. */
function complainKind(items: EmbedComplaint[]) {
  if (items.some((each) => isRequestCategory(each.category) && !isClosed(each))) return 'quiet'
  return items.length > 0 ? 'plain' : undefined
}

const isClosed = ({ status }: EmbedComplaint): boolean => status === 'CLOSED' || status === 'MERGED'

interface ComplaintProps {
  complaint: EmbedComplaint
  post: Post
}

function Complaint({ complaint, post }: ComplaintProps) {
  const { number, category, status, entries, outcome, mayJudge } = complaint
  const lastEntry = entries.at(-1)
  const decision = isRequestCategory(category) ? '' : textOf(`help.outcome.${outcome}`)
  const title = (
    <>
      {textOf(`help.${category}`)} <span class="quiet-words">{t('help.number', { number })}</span>
    </>
  )
  const content = (
    <>
      <Thread complaint={complaint} />
      {decision && !isClosed(complaint) && (
        <p>
          <b>{decision}</b>
        </p>
      )}
      <ComplaintActions complaint={complaint} post={post} />
    </>
  )
  return isClosed(complaint) ? (
    <details>
      <summary>
        {title}
        <small class="per-month" role="status">
          {textOf(`help.${status}`)}
          {[lastEntry && ` · ${moment(lastEntry.at)}`, decision && ` · ${decision}`]}
        </small>
      </summary>
      <div class="all">{content}</div>
    </details>
  ) : (
    <article class="card" aria-label={number}>
      <h2>{title}</h2>
      {!decision && !mayJudge && (
        <p class="state">
          <strong>{textOf(`help.${status}`)}</strong>
          {deadlineText(complaint) && ` · ${deadlineText(complaint)}`}
        </p>
      )}
      {content}
    </article>
  )
}

function deadlineText({ dueAt, overdue, escalated, status, exit, lender }: EmbedComplaint): string {
  if (dueAt === null || status === 'WAITING_FOR_BORROWER') return ''
  const answer = overdue ? t('help.overdue') : t('help.due', { date: moment(dueAt) })
  const texts =
    exit && exit.state !== 'PAID'
      ? [t(`help.exit.${exit.state}`, { date: lastDay(exit.payBy, page.view.value.leave?.today) })]
      : [exit && t('help.exit.PAID', { lender: lender ?? '' }), answer]
  return [...texts, escalated && t('help.escalated')].filter(Boolean).join(' ')
}

const Thread = ({ complaint: { entries, lender } }: { complaint: EmbedComplaint }) => (
  <ol class="said">
    {entries.map(({ at, by, kind, code, text, values, files }) => {
      const event = kind === 'EVENT' ? eventText(code, { lender: lender ?? '', ...values }) : null
      if (event === '') return null
      return (
        <li key={at + by + kind} class={event === null ? by.toLowerCase() : 'event'}>
          <p class="hint">
            {event ?? (by === 'BORROWER' ? t('help.you') : by === 'LENDER' ? (lender ?? '') : t('help.us'))} ·{' '}
            {moment(at)}
          </p>
          {text && <p class="words">{text}</p>}
          {files.length > 0 && <p class="hint">📎 {files.join(', ')}</p>}
        </li>
      )
    })}
  </ol>
)

/** The event's text; empty for events that borrowers need not see. */
const eventText = (code: string | null, values: Record<string, string>): string =>
  textOf(`help.event.${code}`).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

function Judgement({ id, post }: { id: string; post: Post }) {
  const judge = (settled: boolean) => () => void post(`/${id}/judge`, { settled })
  return (
    <fieldset class="rate">
      <legend>{t('help.RESOLVED')}</legend>
      <div class="actions">
        <Button kind="plain" onClick={judge(true)}>
          {t('help.settled.yes')}
        </Button>
        <Button kind="plain" onClick={judge(false)}>
          {t('help.settled.no')}
        </Button>
      </div>
    </fieldset>
  )
}

function ComplaintActions({ complaint, post }: ComplaintProps) {
  const { id, category, status, mayAdd, mayJudge, mayWithdraw } = complaint
  const isAdding = useSignal(false)
  const isQuestion = status === 'WAITING_FOR_BORROWER'
  return (
    <>
      {mayJudge && <Judgement id={id} post={post} />}
      {mayAdd && (isQuestion || isAdding.value) && (
        <MessageForm
          label={t(isQuestion ? 'help.answer' : 'help.add')}
          name={`words-${id}`}
          send={async (text, files) => {
            const faults = await post(`/${id}/words`, { text }, files)
            if (faults === null) isAdding.value = false
            return faults
          }}
        />
      )}
      <p class="turns">
        {mayAdd && !isQuestion && !isAdding.value && (
          <Button
            kind="quiet"
            onClick={() => {
              isAdding.value = true
            }}
          >
            {t('help.add')}
          </Button>
        )}
        {mayWithdraw && (
          <Button kind="quiet" onClick={() => void post(`/${id}/withdraw`, {})}>
            {t(isRequestCategory(category) ? 'help.withdraw.request' : 'help.withdraw')}
          </Button>
        )}
      </p>
    </>
  )
}

const Officer = ({ title, name, email, phone }: { title: string } & EmbedComplaints['officer']) => (
  <>
    <dt>{title}</dt>
    <dd>
      {name}
      <br />
      <a href={`tel:${phone}`}>{phone}</a>
      <br />
      <a href={`mailto:${email}`}>{email}</a>
    </dd>
  </>
)

/** The officers whose contact the regulator requires us to show. */
const Officers = ({ officer, nodal, isFolded }: EmbedComplaints & { isFolded: boolean }) => (
  <details open={!isFolded}>
    <summary>{t('help.officers')}</summary>
    <dl class="rows">
      <Officer title={t('help.officer')} {...officer} />
      <Officer title={t('help.nodal')} {...nodal} />
    </dl>
    <p class="hint">{t('help.ombudsman')}</p>
  </details>
)

page.help = Help
