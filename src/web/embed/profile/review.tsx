// Before the consents: the data, recipients, purposes and duration. Sensitive values are partly masked.
import { Button } from '../form/form.tsx'
import { Away } from '../offers/lender.tsx'
import { rupees } from '../page/format.ts'
import { here } from '../page/here.ts'
import { policyUrl } from '../page/policy.ts'
import { t, textOf } from '../text.ts'
import { go, values } from './profile-form.ts'
import { allFields } from './profile-leave.ts'

/** Enough to recognise the input, too little for an onlooker. */
const masks: Partial<Record<string, (value: string) => string>> = {
  contactNumber: (value) => `••••••${value.slice(-4)}`,
  pan: (value) => `••••••${value.slice(-4)}`,
  dob: (value) => `••.••.${value.slice(0, 4)}`,
  personalemail: (value) => value.replace(/^(.).*(?=@)/, '$1•••'),
  officialemail: (value) => value.replace(/^(.).*(?=@)/, '$1•••'),
  income: rupees,
}

/** The input of a profile part, in order; the first starts with the app's mobile number. */
function typedIn(part: number): string[] {
  const all = values.value
  const names = allFields()
    .filter((field) => field.part === part && (field.when?.(all) ?? true))
    .map(({ name }) => name)
  return [...(part === 0 ? ['contactNumber'] : []), ...names].flatMap((name) => {
    const value = all[name]?.trim()
    return value ? [masks[name]?.(value) ?? (textOf(`field.${name}.${value}`) || value)] : []
  })
}

const titleOf = (name: string | number): string => (name === 0 ? t('review.you') : textOf(`profile.${name}`))

/** How many names are shown at first; a tap shows the others. */
const few = 8

/** The known lenders of this loan; others that may answer on the network are unknown before. */
function Receivers() {
  const names = here.session.view.value?.receivers ?? []
  if (names.length === 0) return <p>{t('review.to.is')}</p>
  const more = names.slice(few)
  return (
    <>
      <p>{names.slice(0, few).join(' · ')}</p>
      {more.length > 0 && (
        <details class="whole">
          <summary>{t('review.to.more', { count: more.length })}</summary>
          <p>{more.join(' · ')}</p>
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
          <div class="compared">
            <b>{titleOf(name)}</b>
            <Button kind="quiet" label={`${t('review.edit')}: ${titleOf(name)}`} onClick={() => go(part)}>
              {t('review.edit')}
            </Button>
          </div>
          <p>{typedIn(part).join(' · ')}</p>
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
        <Receivers />
      </div>
      {(['for', 'until'] as const).map((what) => (
        <div key={what}>
          <b>{t(`review.${what}`)}</b>
          <p>{t(`review.${what}.is`)}</p>
        </div>
      ))}
      <p>
        <Away href={policyUrl()}>{t('review.policy')}</Away>
      </p>
    </section>
  )
}
