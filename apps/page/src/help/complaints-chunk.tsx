// Chunk with the complaints about a loan: the form, the state of each complaint, and the borrower's options.

import { Icon } from '@lendloom/design/icon'
import { check, speech } from '@lendloom/design/icons'
import type { EmbedGrievance } from '@lendloom/wire/hosted/embed-grievance'
import { useSignal } from '@preact/signals'
import { idOf } from '../form/field.tsx'
import { Button, Form, TroubleNotice } from '../form/form.tsx'
import type { FieldErrors } from '../page/field-errors.ts'
import { day, moment, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import { complaintPath, postGrievance, RaiseComplaint } from './complaint-form.tsx'

const isClosed = ({ status }: EmbedGrievance): boolean => status === 'CLOSED' || status === 'REFUSED'

function Complaints({ lender }: { lender: string }) {
  const { grievances, selected } = page.view.value
  const isFormOpen = useSignal(false)
  if (!grievances) return null
  const { possible, items } = grievances
  const open = items.filter((each) => !isClosed(each))
  const closed = items.filter(isClosed)
  const firstText = selected?.terms.creditLine ? 'complaint.open.line' : 'complaint.open'
  const closeForm = () => {
    isFormOpen.value = false
  }
  return (
    <section id="complaints" class="complaints" aria-labelledby="complaints-title" tabIndex={-1}>
      <h2 id="complaints-title">{titleOf(items)}</h2>
      {open.map((each) => (
        <OpenComplaint key={each.id} complaint={each} lender={lender} />
      ))}
      {!isFormOpen.value && open.length === 0 && (
        <p class="hint">{t(possible ? 'complaint.why' : 'complaint.direct', { lender })}</p>
      )}
      {possible && isFormOpen.value && <RaiseComplaint lender={lender} onDone={closeForm} />}
      {!isFormOpen.value && <TroubleNotice of={complaintPath} />}
      {possible && !isFormOpen.value && (
        <div class="actions">
          <Button
            kind="plain"
            onClick={() => {
              isFormOpen.value = true
            }}
          >
            {t(open.length > 0 ? 'complaint.another' : firstText)}
          </Button>
        </div>
      )}
      {closed.map((each) => (
        <ClosedComplaint key={each.id} complaint={each} lender={lender} />
      ))}
    </section>
  )
}

function titleOf({ length }: EmbedGrievance[]): string {
  if (length === 0) return t('complaint.title')
  return t(length === 1 ? 'complaint.title.one' : 'complaint.title.many')
}

interface ComplaintProps {
  complaint: EmbedGrievance
  lender: string
}

/** The complaint's state in one sentence. */
function statusText({ status, escalated, mayEscalate, raisedAt, dueAt }: EmbedGrievance, lender: string): string {
  const sent = moment(raisedAt)
  const due = moment(dueAt)
  if (mayEscalate && status !== 'RESOLVED' && status !== 'NEEDS_INFO') return t('complaint.overdue', { lender, due })
  if (status === 'OPEN') return t('complaint.OPEN', { lender, sent, due })
  if (status === 'PROCESSING')
    return escalated ? t('complaint.PROCESSING.escalated', { lender, due }) : t('complaint.PROCESSING', { lender, due })
  if (status === 'ESCALATED') return t('complaint.ESCALATED', { lender, due })
  return status === 'CLOSED' ? '' : t(`complaint.${status}`, { lender })
}

function Topic({ complaint: { number, topic } }: { complaint: EmbedGrievance }) {
  return (
    <>
      {textOf(`field.topic.${topic}`)} {number && <small class="per-month">{t('complaint.number', { number })}</small>}
    </>
  )
}

/** Closes a complaint and moves the focus to its line, which says so. */
const close = (id: string, body: object) => () =>
  void postGrievance(`/${id}/close`, body).then(() => document.getElementById(id)?.focus())

function OpenComplaint({ complaint, lender }: ComplaintProps) {
  const { id, topic, status, late, notTaken, mayEscalate } = complaint
  return (
    <article class="card complaint" aria-label={textOf(`field.topic.${topic}`)}>
      <div>
        <h3>
          <Topic complaint={complaint} />
        </h3>
        <State complaint={complaint} lender={lender} />
      </div>
      <Thread complaint={complaint} lender={lender} />
      {late && <p class="hint">{t('complaint.late', { lender })}</p>}
      {notTaken && <p class="hint">{t('complaint.notTaken', { lender })}</p>}
      {status === 'NEEDS_INFO' && <ReplyForm complaint={complaint} />}
      {status === 'RESOLVED' && <ResolvedComplaint complaint={complaint} lender={lender} />}
      {mayEscalate && status !== 'RESOLVED' && <OverdueNotice complaint={complaint} lender={lender} />}
      {(notTaken || complaint.escalated) && <Officer complaint={complaint} />}
      {status !== 'RESOLVED' && (
        <p class="turns">
          <Button kind="quiet" onClick={close(id, {})}>
            {t('complaint.withdraw')}
          </Button>
        </p>
      )}
    </article>
  )
}

/** The states in which it is the borrower's turn. */
const marks: Partial<Record<EmbedGrievance['status'], { name: string; icon: string }>> = {
  NEEDS_INFO: { name: 'turn', icon: speech },
  RESOLVED: { name: 'solved', icon: check },
}

function State({ complaint, lender }: ComplaintProps) {
  const mark = marks[complaint.status]
  return (
    <p class={mark ? `state ${mark.name}` : 'state'}>
      {mark && <Icon path={mark.icon} />} {statusText(complaint, lender)}
    </p>
  )
}

/** Everything that both sides have said, oldest first. */
function Thread({ complaint, lender }: ComplaintProps) {
  const { raisedAt, text, messages } = complaint
  return (
    <ol class="said">
      <Message at={raisedAt} by="BORROWER" lender={lender} text={text} />
      {messages.map((each, i) => (
        <Message key={i} {...each} lender={lender} />
      ))}
      <Resolution complaint={complaint} lender={lender} />
    </ol>
  )
}

interface MessageProps {
  at: string | null
  by: 'BORROWER' | 'LENDER'
  lender: string
  text: string
  detail?: string | null
  /** What the lender does about it. */
  outcome?: string
  note?: string
}

const Message = ({ at, by, lender, text, detail, outcome, note }: MessageProps) => (
  <li class={by.toLowerCase()}>
    <p class="hint">
      {by === 'BORROWER' ? t('complaint.you') : lender}
      {at && ` · ${moment(at)}`}
    </p>
    <p class="words">{text}</p>
    {detail && <p class="words">{detail}</p>}
    {outcome && (
      <p class="words">
        <b>{outcome}</b> {note}
      </p>
    )}
  </li>
)

function Resolution({ complaint: { resolution }, lender }: ComplaintProps) {
  if (!resolution) return null
  const { at, text, detail, refund, action } = resolution
  const outcome = refund
    ? { outcome: t('complaint.refund', { amount: rupees(refund) }), note: t('complaint.refund.when') }
    : { outcome: textOf(`complaint.does.${action ?? ''}`) }
  return <Message at={at} by="LENDER" lender={lender} text={text} detail={detail} {...outcome} />
}

function ReplyForm({ complaint: { id } }: { complaint: EmbedGrievance }) {
  const text = useSignal('')
  const errors = useSignal<FieldErrors>({})
  const attempt = useSignal(0)
  const name = `reply-${id}`
  async function send(): Promise<void> {
    const reply = text.value.trim()
    const faults = reply.length < 10 ? [null] : await postGrievance(`/${id}/reply`, { text: reply })
    if (faults === null || faults.length === 0) return
    errors.value = { [name]: t('wrong.complaint') }
    attempt.value += 1
  }
  return (
    <Form errors={errors.value} attempt={attempt.value} onSubmit={() => void send()}>
      <div class={errors.value[name] ? 'field bad' : 'field'}>
        <label for={idOf(name)}>{t('complaint.reply')}</label>
        {errors.value[name] && (
          <p class="wrong" id={`${idOf(name)}-wrong`}>
            {errors.value[name]}
          </p>
        )}
        <textarea
          id={idOf(name)}
          rows={4}
          maxLength={2000}
          aria-invalid={errors.value[name] ? true : undefined}
          aria-describedby={errors.value[name] ? `${idOf(name)}-wrong` : undefined}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
            errors.value = {}
          }}
        />
      </div>
      <div class="actions">
        <Button submit>{t('complaint.reply.send')}</Button>
      </div>
    </Form>
  )
}

function ResolvedComplaint({ complaint, lender }: ComplaintProps) {
  const { id, mayEscalate, officer } = complaint
  const rate = (rating: string) => close(id, { rating })
  return (
    <fieldset class="rate">
      <legend>{t('complaint.solved')}</legend>
      <div class="actions">
        <Button onClick={rate('THUMBS-UP')}>{t('complaint.solved.yes')}</Button>
        {mayEscalate && (
          <div>
            <Button kind="plain" onClick={() => void postGrievance(`/${id}/escalate`)}>
              {t('complaint.solved.escalate')}
            </Button>
            <p class="hint">{t('complaint.disagree', { officer: officer.name ?? lender })}</p>
          </div>
        )}
        <Button kind={mayEscalate ? 'quiet' : 'plain'} onClick={rate('THUMBS-DOWN')}>
          {t('complaint.solved.no')}
        </Button>
      </div>
    </fieldset>
  )
}

function OverdueNotice({ complaint, lender }: ComplaintProps) {
  const { id, officer } = complaint
  return (
    <div class="notice news">
      <p>{t('complaint.overdue.next', { officer: officer.name ?? lender })}</p>
      <Button onClick={() => void postGrievance(`/${id}/escalate`)}>{t('complaint.escalate')}</Button>
    </div>
  )
}

function Officer({ complaint: { officer } }: { complaint: EmbedGrievance }) {
  const { name, phone, email } = officer
  return (
    <dl class="rows">
      <dt>{t('complaint.officer')}</dt>
      <dd>
        {name}
        {phone && (
          <>
            <br />
            <a href={`tel:${phone}`}>{phone}</a>
          </>
        )}
        {email && (
          <>
            <br />
            <a href={`mailto:${email}`}>{email}</a>
          </>
        )}
      </dd>
    </dl>
  )
}

/** A closed or refused complaint, folded. */
function ClosedComplaint({ complaint, lender }: ComplaintProps) {
  const { id, rating, status, closedAt } = complaint
  return (
    <details>
      <summary id={id}>
        <Topic complaint={complaint} />
        <small class="per-month">
          {status === 'CLOSED' && <Icon path={check} />}{' '}
          {closedAt ? t('complaint.closed', { date: day(closedAt) }) : t('complaint.refused')}
        </small>
      </summary>
      <div class="complaint">
        <Thread complaint={complaint} lender={lender} />
        {rating && <p class="hint">{t(rating === 'THUMBS-UP' ? 'complaint.rated.up' : 'complaint.rated.down')}</p>}
        {status === 'REFUSED' && (
          <>
            <p>{t('complaint.REFUSED', { lender })}</p>
            <Officer complaint={complaint} />
          </>
        )}
      </div>
    </details>
  )
}

page.complaints = Complaints
