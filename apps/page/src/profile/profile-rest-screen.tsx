// The later parts of the profile: work and home, then purpose and consents.
import { localeOf } from '@lendloom/lending/language'
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
import { stateErrors, stateText } from './fill-place.ts'
import { leavePart, showFaults, shownFields } from './leave-profile-part.ts'
import type { Field } from './profile-fields.ts'
import { clearError, errors, openPart, part } from './profile-form.ts'
import { control, ProfilePart, parts, props } from './profile-screen.tsx'
import { Review } from './review-before-consent.tsx'

const stateFields = ['state', 'businessState']

/** The text of an option. Purposes and states have keys of their own, because other fields and screens use them too. */
function optionText(name: string, option: string): string {
  if (name === 'endUse') return textOf(`use.${option}`) || option
  if (stateFields.includes(name)) return stateText(option)
  return textOf(`field.${name}.${option}`) || option
}

/** The options with their texts. States are in the order of the language's alphabet, to be found by eye. */
function optionsOf({ name, options = [] }: Field): [value: string, text: string][] {
  const texts = options.map((option): [string, string] => [option, optionText(name, option)])
  if (!stateFields.includes(name)) return texts
  const order = new Intl.Collator(localeOf(language.value))
  return [...texts].sort(([, a], [, b]) => order.compare(a, b))
}

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
  const { name, kind, input } = field
  if (kind === 'select')
    return <SelectField key={name} {...props(field)} autocomplete={input?.autocomplete} options={optionsOf(field)} />
  return control(field)
}

const FoldedFields = ({ title, fields }: { title: string; fields: Field[] }) => (
  <details
    ref={(details) => {
      if (details && fields.some(({ name }) => name in errors.value)) details.open = true
    }}
  >
    <summary>{title}</summary>
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
      {folded[0] && <FoldedFields title={t(secondPart ? 'profile.income' : 'profile.business')} fields={folded} />}
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
