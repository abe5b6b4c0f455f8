// Summary before the consents: data, recipients, purpose and duration. Sensitive values can be hidden.
import { Icon } from '@lendloom/design/icon'
import { eye, eyeOff } from '@lendloom/design/icons'
import { type Signal, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from '../form/form.tsx'
import { ExternalLink } from '../offers/lender.tsx'
import { day, masked, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { policyUrl } from '../page/privacy-policy-url.ts'
import { t, textOf } from '../text.ts'
import { allFields } from './leave-profile-part.ts'
import { openPart, typedNames, values } from './profile-form.ts'

/** Masks sensitive values, so that the borrower recognises them but an onlooker cannot read them. */
const masks: Partial<Record<string, (value: string) => string>> = {
  contactNumber: masked,
  pan: (value) => masked(value.toUpperCase()),
  dob: (value) => `••.••.${value.slice(0, 4)}`,
  personalemail: (value) => value.replace(/^(.).*(?=@)/, '$1•••'),
  officialemail: (value) => value.replace(/^(.).*(?=@)/, '$1•••'),
}

const formats: Partial<Record<string, (value: string) => string>> = {
  contactNumber: (value) => `+91 ${value.slice(-10)}`,
  pan: (value) => value.toUpperCase(),
  dob: day,
  income: rupees,
  jewelleryWeightGrams: (grams) => t('pieces.grams', { grams }),
}

/** Whether sensitive values are shown; null until the borrower decides. */
const isRevealed: Signal<boolean | null> = signal(null)

/** All are shown to a borrower who has typed one of them since the page was loaded, and hidden after a reload. */
const areShown = (): boolean => isRevealed.value ?? Object.keys(masks).some((name) => typedNames.has(name))

function textFor(name: string, value: string): string {
  const mask = masks[name]
  if (mask && !areShown()) return mask(value)
  return formats[name]?.(value) ?? (textOf(`field.${name}.${value}`) || value)
}

const addressNames = ['addressL1', 'addressL2', 'city', 'state', 'pincode']

type Row = [label: string, value: string]

/** The fields of a profile part with their values and, apart, its home address; the first part starts with the number from the app. */
function rowsOf(part: number): { rows: Row[]; address: string } {
  const all = values.value
  const names = allFields()
    .filter((field) => field.part === part && (field.when?.(all) ?? true))
    .map(({ name }) => name)
  const rows = [...(part === 0 ? ['contactNumber'] : []), ...names]
    .filter((name) => !addressNames.includes(name))
    .flatMap((name): Row[] => {
      const value = all[name]?.trim()
      return value ? [[textOf(`review.${name}`) || textOf(`field.${name}`), textFor(name, value)]] : []
    })
  const address = addressNames.filter((name) => names.includes(name)).flatMap((name) => all[name]?.trim() || [])
  return { rows, address: address.join(', ') }
}

const titleOf = (name: string | number): string => (name === 0 ? t('review.you') : textOf(`profile.${name}`))

/** Lenders shown before the borrower opens the whole list. A single further one is shown too: folding it saves no line. */
const initialCount = 4

/** The known recipients. Further lenders may answer on the network; we cannot name them in advance. */
function Recipients() {
  const names = page.session.view.value?.receivers ?? []
  if (names.length === 0) return <>{t('review.to.is')}</>
  const shownCount = names.length === initialCount + 1 ? names.length : initialCount
  const hidden = names.slice(shownCount)
  return (
    <>
      {names.slice(0, shownCount).join(' · ')}
      {hidden.length > 0 && (
        <details class="whole">
          <summary>{t('review.to.more', { count: hidden.length })}</summary>
          <p>{hidden.join(' · ')}</p>
        </details>
      )}
      <p class="hint">{t('review.to.others')}</p>
    </>
  )
}

function RevealButton() {
  const isAllShown = areShown()
  return (
    <Button
      kind="quiet"
      label={`${t(isAllShown ? 'review.hide' : 'review.show')}: ${t('review.you')}`}
      onClick={() => {
        isRevealed.value = !isAllShown
      }}
    >
      <Icon path={isAllShown ? eyeOff : eye} /> {t(isAllShown ? 'review.hide' : 'review.show')}
    </Button>
  )
}

interface SentProps {
  title: string
  rows: Row[]
  /** The home address, which stays visible; empty in a part without one. */
  address: string
  /** Whether one line stands for the rows until the borrower opens it, so that the consents are not far below. */
  isFolded: boolean
  children: ComponentChildren
}

/** The first values stand for all of a folded part; more would not fit on a line of a phone. */
const mainValuesOf = (rows: SentProps['rows']): string =>
  rows
    .slice(0, 3)
    .map(([, value]) => value)
    .join(' · ')

const List = ({ rows }: { rows: Row[] }) => (
  <dl class="sums sent">
    {rows.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

function Sent({ title, rows, address, isFolded, children }: SentProps) {
  return (
    <div>
      <div class="titled">
        <b>{title}</b>
        <span>{children}</span>
      </div>
      {isFolded ? (
        <details class="whole">
          <summary>
            <span class="folded-values">{mainValuesOf(rows)}</span>
          </summary>
          <List rows={rows} />
        </details>
      ) : (
        <List rows={rows} />
      )}
      {address && <List rows={[[t('profile.home'), address]]} />}
    </div>
  )
}

export function Review({ names }: { names: readonly (string | number)[] }) {
  return (
    <section class="card" aria-labelledby="review">
      <h2 id="review">{t('review.title')}</h2>
      {names.map((name, part) => (
        <Sent key={name} title={titleOf(name)} {...rowsOf(part)} isFolded={part > 0}>
          {part === 0 && <RevealButton />}
          <Button kind="quiet" label={`${t('review.edit')}: ${titleOf(name)}`} onClick={() => openPart(part)}>
            {t('review.edit')}
          </Button>
        </Sent>
      ))}
      <dl class="rows">
        <dt>{t('review.to')}</dt>
        <dd>
          <Recipients />
        </dd>
        {(['for', 'until'] as const).map((aspect) => [
          <dt key={aspect}>{t(`review.${aspect}`)}</dt>,
          <dd key={`${aspect}.is`}>{t(`review.${aspect}.is`)}</dd>,
        ])}
      </dl>
      <p>
        <ExternalLink href={policyUrl()}>{t('review.policy')}</ExternalLink>
      </p>
    </section>
  )
}
