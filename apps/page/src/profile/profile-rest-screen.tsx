// The later parts of the profile: work and home, then purpose and consents.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Consent, SelectField } from '../form/select-and-consent-fields.tsx'
import { FundStatement, loadFunds } from '../funds/funds-on-demand.tsx'
import { PieceByPiece } from '../gold/gold-on-demand.tsx'
import { offersChunk } from '../loan/later-screens.tsx'
import { errorOf } from '../page/field-errors.ts'
import { day } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { productForms } from '../product/product-forms.ts'
import { language, t, textOf } from '../text.ts'
import { stateErrors } from './fill-place.ts'
import { leavePart, showFaults, shownFields } from './leave-profile-part.ts'
import type { Field } from './profile-fields.ts'
import { clearError, errors, openPart, part } from './profile-form.ts'
import { control, ProfilePart, parts, props } from './profile-screen.tsx'
import { Review } from './review-before-consent.tsx'

/**
 * The text of an option. Options of `endUse` have their own text keys, because other screens use them too. States have
 * none: addresses are written in English.
 */
const optionText = (name: string, option: string): string =>
  textOf(name === 'endUse' ? `use.${option}` : `field.${name}.${option}`) || option

const consentPurposes = ['bureau', 'data_sharing'] as const

const renderConsents = (agreements: Signal<Record<string, boolean>>) => (
  <fieldset class="consents">
    <legend>{t('profile.consents')}</legend>
    {consentPurposes.map((purpose) => (
      <Consent
        key={purpose}
        name={purpose}
        checked={agreements.value[purpose] ?? false}
        error={errorOf(errors.value, purpose)}
        onValue={(on) => {
          agreements.value = { ...agreements.value, [purpose]: on }
          clearError(purpose)
        }}
      />
    ))}
  </fieldset>
)

/** Like `control`, but also renders selects, which the first part does not have. */
function controlForLaterPart(field: Field) {
  const { name, kind, options, input } = field
  if (kind === 'select')
    return (
      <SelectField
        key={name}
        {...props(field)}
        autocomplete={input?.autocomplete}
        options={options.map((each) => [each, optionText(name, each)])}
      />
    )
  return control(field)
}

const FoldedFields = ({ fields }: { fields: Field[] }) => (
  <details
    ref={(details) => {
      if (details && fields.some(({ name }) => name in errors.value)) details.open = true
    }}
  >
    <summary>{t('profile.business')}</summary>
    <div class="all">{fields.map(controlForLaterPart)}</div>
  </details>
)

/** The first date of a page takes a slow phone tens of milliseconds, which would delay the review: it is formatted before. */
function prepareDates(): () => void {
  const timer = setTimeout(() => day('2000-01-01'), 500)
  return () => clearTimeout(timer)
}

export function ProfileRestScreen() {
  useEffect(prepareDates, [])
  const { session, boot } = page
  const agreements = useSignal<Record<string, boolean>>({})
  const isLastPart = part.value === parts - 1
  // Preloads the next screens.
  useEffect(() => void offersChunk.load(), [])
  const { journeyType, funds } = session.view.value ?? {}
  useEffect(() => {
    if (funds) loadFunds()
  }, [])
  const fields = shownFields()
  const folded = fields.filter((each) => each.folded)
  const home = fields.filter(({ group }) => group === 'address')
  const secondPart = journeyType && productForms[journeyType].secondPart

  async function next(): Promise<void> {
    const missing = consentPurposes.filter((purpose) => !agreements.value[purpose])
    const otherErrors = isLastPart ? Object.fromEntries(missing.map((purpose) => [purpose, ''])) : stateErrors()
    if (!(await leavePart(otherErrors))) return
    if (!isLastPart) return openPart(part.value + 1)
    const consents = consentPurposes.map((purpose) => ({
      purpose,
      textVersion: boot.consentVersion,
      language: language.value,
    }))
    const faults = await session.act({ method: 'POST', path: '/profile/submit', body: { consents } })
    if (faults) showFaults(faults)
  }

  return (
    <ProfilePart
      name={isLastPart ? part.value : (secondPart ?? part.value)}
      submitLabel={isLastPart ? t('profile.submit') : t('profile.next')}
      onSubmit={() => void next()}
    >
      {fields.filter(({ folded, group }) => !folded && group !== 'address').map(controlForLaterPart)}
      {secondPart && !isLastPart && <PieceByPiece />}
      {folded[0] && <FoldedFields fields={folded} />}
      {home[0] && (
        <section class="place">
          {!secondPart && <h2>{t('profile.home')}</h2>}
          {home.map(controlForLaterPart)}
        </section>
      )}
      {isLastPart && funds && <FundStatement />}
      {isLastPart && <Review names={[0, secondPart ?? 1]} />}
      {isLastPart && renderConsents(agreements)}
    </ProfilePart>
  )
}
