// A lender as the borrower meets it: its name and mark, what it answered, and who answers for it.
import { useSignal } from '@preact/signals'
import type { EmbedLender, EmbedView } from '#contract/hosted/embed.ts'
import { ago } from '../page/format.ts'
import { here } from '../page/here.ts'
import { inLanguage } from '../page/words.ts'
import { t, textOf } from '../text.ts'

/** A lender's logo from the platform; the first letter of its name without one. */
export function Mark({ name, logoUrl }: { name: string; logoUrl?: string | null }) {
  const isAbsent = useSignal(false)
  return logoUrl?.startsWith('/lab/') && !isAbsent.value ? (
    <img
      class="logo"
      src={logoUrl}
      alt=""
      onError={() => {
        isAbsent.value = true
      }}
    />
  ) : (
    <span class="logo" aria-hidden="true">
      {name[0]}
    </span>
  )
}

/** How long its answer has been pending; empty in the first moments. */
const awaited = (seconds: number | null | undefined) =>
  seconds != null && seconds >= 10 && t('offers.since', { since: ago(seconds) })

/** A lender that was asked, and what it answered; in brief without its reason. */
export function LenderRow({
  lender: { name, logoUrl, status, reason, waitedSeconds },
  brief,
}: {
  lender: EmbedLender
  brief?: boolean
}) {
  return (
    <li class={status}>
      <Mark name={name} logoUrl={logoUrl} />
      <div>
        <b>{name}</b>
        <p>{(!brief && inLanguage(reason)) || awaited(waitedSeconds) || textOf(`searching.${status}`)}</p>
      </div>
    </li>
  )
}

export const Answers = ({ lenders }: { lenders: EmbedLender[] }) => (
  <ul class="answers">
    {lenders.map((lender) => (
      <LenderRow key={lender.id} lender={lender} />
    ))}
  </ul>
)

/** A link that opens a new tab without a referrer; an app that opens pages itself gets a message. */
export function Away({ href, children }: { href: string; children: string }) {
  if (!/^https?:/.test(href)) return null
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        if (!here.host.opensPages) return
        event.preventDefault()
        here.host.tell({ type: 'lab.open', url: href })
      }}
    >
      {children} <span class="sr">{t('terms.newtab')}</span>
    </a>
  )
}

/** The grievance officer and the customer support of a lender, and the name under which it is registered. */
export function Officer({ lender }: { lender: EmbedLender | undefined }) {
  if (!lender) return null
  const { grievanceOfficer: officer, support } = lender
  return (
    <>
      {lender.legalName && <p class="hint">{t('lender.legal', { name: lender.legalName })}</p>}
      <details>
        <summary>{t('terms.officer', { lender: lender.name })}</summary>
        <dl class="rows">
          <dt>{t('terms.officer.is')}</dt>
          <dd>
            {officer.name}, {officer.designation}
            <br />
            <a href={`mailto:${officer.email}`}>{officer.email}</a>
            <br />
            <a href={`tel:${officer.phone}`}>{officer.phone}</a>
            <br />
            {officer.address}
          </dd>
          <dt>{t('terms.support')}</dt>
          <dd>
            <a href={`mailto:${support.email}`}>{support.email}</a>
            <br />
            <a href={`tel:${support.phone}`}>{support.phone}</a>
          </dd>
        </dl>
      </details>
    </>
  )
}

export const lenderOf = ({ lenders, selected }: EmbedView): EmbedLender | undefined =>
  lenders.find(({ name, id }) => id === selected?.terms.lenderId || name === selected?.lenderName)
