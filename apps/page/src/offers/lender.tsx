// A lender's logo, its answer, and its contacts.

import { Icon } from '@lendloom/design/icon'
import { check, cross } from '@lendloom/design/icons'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { useSignal } from '@preact/signals'
import { ago } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { translate } from '../page/server-texts.ts'
import { t, textOf } from '../text.ts'

/** The first letters of two words: a single one is often another lender's too. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0])
    .join('')

/** The lender's logo, or its initials. */
export function LenderLogo({ name, logoUrl }: { name: string; logoUrl?: string | null }) {
  const isBroken = useSignal(false)
  return logoUrl?.startsWith('/lab/') && !isBroken.value ? (
    <img
      class="logo"
      src={logoUrl}
      alt=""
      onError={() => {
        isBroken.value = true
      }}
    />
  ) : (
    <span class="logo" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

/** How long the answer has been pending; nothing in the first seconds. */
const waitingText = (seconds: number | null | undefined) =>
  seconds && seconds >= 10 && t('offers.since', { since: ago(seconds) })

/** A lender that has not answered has none. */
const answerIcons: Partial<Record<EmbedLender['status'], string>> = {
  OFFER_RECEIVED: check,
  NO_OFFER_AVAILABLE: cross,
}

/** A lender and its answer; `brief` omits the reason. */
export function LenderRow({
  lender: { name, logoUrl, status, reason, waitedSeconds },
  brief,
}: {
  lender: EmbedLender
  brief?: boolean
}) {
  return (
    <li class={status}>
      <LenderLogo name={name} logoUrl={logoUrl} />
      <div>
        <b>{name}</b>
        <p>
          {answerIcons[status] && <Icon path={answerIcons[status]} />}{' '}
          {(!brief && translate(reason)) || waitingText(waitedSeconds) || textOf(`searching.${status}`)}
        </p>
      </div>
    </li>
  )
}

interface ExternalLinkProps {
  href: string
  look?: string
  /** Called when the borrower follows the link. */
  onFollow?(): void
  children: string
}

/** A link to a new tab, without a referrer. An app that must open pages itself receives a message instead. */
export function ExternalLink({ href, look, onFollow, children }: ExternalLinkProps) {
  if (!/^https?:/.test(href)) return null
  return (
    <a
      class={look}
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      onClick={(event) => {
        onFollow?.()
        if (!page.host.opensPages) return
        event.preventDefault()
        page.host.send({ type: 'lab.open', url: href })
      }}
    >
      {children} <span class="sr">{t('terms.newtab')}</span>
    </a>
  )
}

interface OfficerProps {
  lender: EmbedLender | undefined
  /** Whether it is shown opened, because a text above sends the borrower here. */
  open?: boolean
}

/** A lender's legal name, grievance officer and customer support. */
export function Officer({ lender, open = false }: OfficerProps) {
  if (!lender) return null
  const { grievanceOfficer: officer, support } = lender
  return (
    <details open={open}>
      <summary>{t('terms.officer', { lender: lender.name })}</summary>
      {lender.legalName && <p class="hint">{t('lender.legal', { name: lender.legalName })}</p>}
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
          <br />
          <ExternalLink href={support.link}>{support.link}</ExternalLink>
        </dd>
      </dl>
    </details>
  )
}

/** Returns the lender of the selected offer, by its id or its name. */
export const lenderOf = ({ lenders, selected }: EmbedView): EmbedLender | undefined =>
  lenders.find(({ name, id }) => id === selected?.terms.lenderId || name === selected?.lenderName)
