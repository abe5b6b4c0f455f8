// Help and complaints, as a separate chunk: contacts, the borrower's complaints with answers, and a new one.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { EmbedComplaint, EmbedComplaintReply, EmbedComplaints } from '#contract/hosted/embed-complaint.ts'
import { Actions, Button } from '../form/form.tsx'
import { moment } from '../page/format.ts'
import { here } from '../page/here.ts'
import { look } from '../page/look.ts'
import { t, textOf } from '../text.ts'
import { NewComplaint, type Post, Words } from './help-form.tsx'

const pollMs = 10_000

/** The borrower's complaints, refreshed while they are open, and acts on them. */
function useComplaints() {
  const shown = useSignal<EmbedComplaints | null>(null)
  const failed = useSignal(false)
  const load = async (): Promise<void> => {
    const found = await look<{ complaints: EmbedComplaints }>('/complaints')
    failed.value = found === null
    if (found) shown.value = found.complaints
  }
  useEffect(() => {
    void load()
    const timer = setInterval(() => !document.hidden && void load(), pollMs)
    return () => clearInterval(timer)
  }, [])
  const post: Post = (path, body) =>
    here.session.act<EmbedComplaintReply>({ method: 'POST', path: `/complaints${path}`, body }, (reply) => {
      shown.value = reply.complaints
    })
  return { value: shown.value, failed: failed.value, load, post }
}

function Help({ close }: { close(): void }) {
  const { value, failed, load, post } = useComplaints()
  const asking = useSignal(false)
  const top = useRef<HTMLElement>(null)
  const about = here.helpAbout.value
  useEffect(() => {
    asking.value = about !== '' && about !== null
    top.current?.focus()
    top.current?.scrollIntoView({ block: 'start' })
  }, [about])
  const setAsking = (is: boolean) => () => {
    asking.value = is
  }
  return (
    <section class="help" aria-labelledby="help-title" tabIndex={-1} ref={top}>
      <h2 id="help-title">{t('help.title')}</h2>
      <p>{t('help.lead')}</p>
      {failed && !value && <Failed again={() => void load()} />}
      {value?.items.map((each) => (
        <Complaint key={each.id} complaint={each} post={post} />
      ))}
      {value && asking.value && (
        <NewComplaint lender={value.lender} key={about} about={about ?? ''} post={post} done={setAsking(false)} />
      )}
      {value && !asking.value && (
        <Actions>
          <Button {...(value.items.length > 0 && { kind: 'plain' as const })} onClick={setAsking(true)}>
            {t('help.new')}
          </Button>
        </Actions>
      )}
      {value && <Officers of={value} />}
      <Button kind="quiet" onClick={close}>
        {t('help.close')}
      </Button>
    </section>
  )
}

const Failed = ({ again }: { again(): void }) => (
  <div class="notice" role="alert">
    <p>{t('help.failed')}</p>
    <Button kind="plain" onClick={again}>
      {t('help.again')}
    </Button>
  </div>
)

const isOver = ({ status }: EmbedComplaint): boolean => status === 'CLOSED' || status === 'MERGED'

interface HelpProps {
  complaint: EmbedComplaint
  post: Post
}

/** One that is over is folded; its answers stay readable. */
function Complaint({ complaint, post }: HelpProps) {
  const { number, category, status } = complaint
  const title = (
    <>
      {textOf(`help.${category}`)} · <span class="quiet-words">{t('help.number', { number })}</span>
    </>
  )
  const inside = (
    <>
      <p class="state">
        <strong>{textOf(`help.${status}`)}</strong> {standing(complaint)}
      </p>
      <Thread complaint={complaint} />
      <Turn complaint={complaint} post={post} />
    </>
  )
  return isOver(complaint) ? (
    <details class="card said-complaint">
      <summary>{title}</summary>
      {inside}
    </details>
  ) : (
    <article class="card said-complaint" aria-label={number}>
      <h3>{title}</h3>
      {inside}
    </article>
  )
}

const standing = ({ dueAt, overdue, escalated, status }: EmbedComplaint): string =>
  dueAt === null || status === 'WAITING_FOR_BORROWER'
    ? ''
    : [overdue ? t('help.overdue') : t('help.due', { date: moment(dueAt) }), escalated && t('help.escalated')]
        .filter(Boolean)
        .join(' ')

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

/** Empty for events that borrowers need not see. */
const eventText = (code: string | null, values: Record<string, string>): string =>
  textOf(`help.event.${code}`).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** The borrower's possible acts. */
function Turn({ complaint, post }: HelpProps) {
  const { id, status, mayAdd, mayJudge, mayWithdraw } = complaint
  const adding = useSignal(false)
  const isQuestion = status === 'WAITING_FOR_BORROWER'
  const judge = (settled: boolean) => () => void post(`/${id}/judge`, { settled })
  return (
    <>
      {mayJudge && (
        <div class="actions">
          <Button onClick={judge(true)}>{t('help.settled.yes')}</Button>
          <Button kind="plain" onClick={judge(false)}>
            {t('help.settled.no')}
          </Button>
        </div>
      )}
      {mayAdd && (isQuestion || adding.value) && (
        <Words
          label={t(isQuestion ? 'help.answer' : 'help.add')}
          name={`words-${id}`}
          send={async (text, files) => {
            const faults = await post(`/${id}/words`, { text, files })
            if (faults === null) adding.value = false
            return faults
          }}
        />
      )}
      <p class="turns">
        {mayAdd && !isQuestion && !adding.value && (
          <Button
            kind="quiet"
            onClick={() => {
              adding.value = true
            }}
          >
            {t('help.add')}
          </Button>
        )}
        {mayWithdraw && (
          <Button kind="quiet" onClick={() => void post(`/${id}/withdraw`, {})}>
            {t('help.withdraw')}
          </Button>
        )}
      </p>
    </>
  )
}

const Officer = ({ title, of: { name, email, phone } }: { title: string; of: EmbedComplaints['officer'] }) => (
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

/** The officers that the regulator requires to be shown. */
const Officers = ({ of: { officer, nodal } }: { of: EmbedComplaints }) => (
  <>
    <dl class="rows">
      <Officer title={t('help.officer')} of={officer} />
      <Officer title={t('help.nodal')} of={nodal} />
    </dl>
    <p class="hint">{t('help.ombudsman')}</p>
  </>
)

here.help = Help
