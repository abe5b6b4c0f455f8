// Summary before the consents: data (partly masked), recipients, purpose and duration.
import { Button } from '../form/form.tsx'
import { ExternalLink } from '../offers/lender.tsx'
import { rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { policyUrl } from '../page/privacy-policy-url.ts'
import { t, textOf } from '../text.ts'
import { allFields } from './leave-profile-part.ts'
import { openPart, values } from './profile-form.ts'

/** Masks sensitive values, so that the borrower recognises them but an onlooker cannot read them. */
const masks: Partial<Record<string, (value: string) => string>> = {
  contactNumber: (value) => `••••••${value.slice(-4)}`,
  pan: (value) => `••••••${value.slice(-4)}`,
  dob: (value) => `••.••.${value.slice(0, 4)}`,
  personalemail: (value) => value.replace(/^(.).*(?=@)/, '$1•••'),
  officialemail: (value) => value.replace(/^(.).*(?=@)/, '$1•••'),
  income: rupees,
}

/** The fields of a profile part with their values, in order; the first part starts with the number from the app. */
function maskedRows(part: number): [name: string, value: string][] {
  const all = values.value
  const names = allFields()
    .filter((field) => field.part === part && (field.when?.(all) ?? true))
    .map(({ name }) => name)
  return [...(part === 0 ? ['contactNumber'] : []), ...names].flatMap((name) => {
    const value = all[name]?.trim()
    return value ? [[name, masks[name]?.(value) ?? (textOf(`field.${name}.${value}`) || value)]] : []
  })
}

const titleOf = (name: string | number): string => (name === 0 ? t('review.you') : textOf(`profile.${name}`))

/** Lenders shown before the borrower opens the whole list. */
const initialCount = 8

/** The known recipients. Further lenders may answer on the network; we cannot name them in advance. */
function Recipients() {
  const names = page.session.view.value?.receivers ?? []
  if (names.length === 0) return <p>{t('review.to.is')}</p>
  const hidden = names.slice(initialCount)
  return (
    <>
      <p>{names.slice(0, initialCount).join(' · ')}</p>
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

export function Review({ names }: { names: readonly (string | number)[] }) {
  return (
    <section class="card" aria-labelledby="review">
      <h2 id="review">{t('review.title')}</h2>
      {names.map((name, part) => (
        <div key={name}>
          <div class="titled">
            <b>{titleOf(name)}</b>
            <Button kind="quiet" label={`${t('review.edit')}: ${titleOf(name)}`} onClick={() => openPart(part)}>
              {t('review.edit')}
            </Button>
          </div>
          <dl class="sums">
            {maskedRows(part).map(([name, value]) => (
              <div key={name}>
                <dt>{textOf(`field.${name}`)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {values.value.endUse && (
        <div>
          <b>{t('field.endUse')}</b>
          <p>{textOf(`use.${values.value.endUse}`)}</p>
        </div>
      )}
      <div>
        <b>{t('review.to')}</b>
        <Recipients />
      </div>
      {(['for', 'until'] as const).map((aspect) => (
        <div key={aspect}>
          <b>{t(`review.${aspect}`)}</b>
          <p>{t(`review.${aspect}.is`)}</p>
        </div>
      ))}
      <p>
        <ExternalLink href={policyUrl()}>{t('review.policy')}</ExternalLink>
      </p>
    </section>
  )
}
