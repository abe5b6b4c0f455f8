// Work and home, then the loan's purpose and the consents for submitting to lenders.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { AmountField } from '../form/amount-field.tsx'
import { Consent, SelectField } from '../form/field-more.tsx'
import { PieceByPiece } from '../gold/on-gold.tsx'
import { choosing } from '../loan/afterwards.tsx'
import { FundStatement, loadFunds } from '../offers/secured.tsx'
import { here } from '../page/here.ts'
import { wordsFor } from '../page/wrong.ts'
import { productForms } from '../product/forms.ts'
import { language, t, textOf } from '../text.ts'
import type { Field } from './profile.ts'
import { forgive, go, part, wrong } from './profile-form.ts'
import { check, leave, showFaults, shownFields } from './profile-leave.ts'
import { common, control, ProfilePart, parts } from './profile-screen.tsx'
import { Review } from './review.tsx'

/** Purposes have separate texts, because they are used elsewhere too. */
const optionText = (name: string, option: string): string =>
  textOf(name === 'endUse' ? `use.${option}` : `field.${name}.${option}`)

const purposes = ['bureau', 'data_sharing'] as const

const consentsIn = (agreed: Signal<Record<string, boolean>>) => (
  <fieldset class="consents">
    <legend>{t('profile.consents')}</legend>
    {purposes.map((purpose) => (
      <Consent
        key={purpose}
        name={purpose}
        checked={agreed.value[purpose] ?? false}
        wrong={wordsFor(wrong.value, purpose)}
        onValue={(on) => {
          agreed.value = { ...agreed.value, [purpose]: on }
          forgive(purpose)
        }}
      />
    ))}
  </fieldset>
)

/** The first part has neither amounts nor lists to choose from. */
function controlOfRest(field: Field) {
  const { name, kind, options } = field
  if (kind === 'select')
    return <SelectField key={name} {...common(field)} options={options.map((each) => [each, optionText(name, each)])} />
  if (kind !== 'amount') return control(field)
  return (
    <div key={name} onFocusOut={({ relatedTarget }) => relatedTarget instanceof HTMLInputElement && check(field)}>
      <AmountField {...common(field)} />
    </div>
  )
}

export function ProfileRestScreen() {
  const { session, boot } = here
  const agreed = useSignal<Record<string, boolean>>({})
  const last = part.value === parts - 1
  // Preloads the next screens.
  useEffect(() => void choosing.load(), [])
  const { journeyType, funds } = session.view.value ?? {}
  useEffect(() => {
    if (funds) loadFunds()
  }, [])
  const secondPart = journeyType && productForms[journeyType].secondPart

  async function next(): Promise<void> {
    if (!(await leave(last ? purposes.filter((purpose) => !agreed.value[purpose]) : []))) return
    if (!last) return go(part.value + 1)
    const consents = purposes.map((purpose) => ({
      purpose,
      textVersion: boot.consentVersion,
      language: language.value,
    }))
    const refused = await session.act({ method: 'POST', path: '/profile/submit', body: { consents } })
    if (refused) showFaults(refused)
  }

  return (
    <ProfilePart
      name={last ? part.value : (secondPart ?? part.value)}
      send={last ? t('profile.submit') : t('profile.next')}
      onSubmit={() => void next()}
    >
      {secondPart === 'gold' && <PieceByPiece />}
      {shownFields().map(controlOfRest)}
      {last && funds && <FundStatement />}
      {last && <Review names={[0, secondPart ?? 1]} />}
      {last && consentsIn(agreed)}
    </ProfilePart>
  )
}
