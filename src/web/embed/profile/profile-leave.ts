// Leaving a part of the profile: it is checked, saved, and what is refused is shown where it is.
import type { EmbedView } from '#contract/hosted/embed.ts'
import { contractOf, defaultProduct } from '#contract/product/products.ts'
import type { FieldFault } from '../page/api.ts'
import { here } from '../page/here.ts'
import type { Wrong } from '../page/wrong.ts'
import { t, textOf } from '../text.ts'
import type { Field } from './profile.ts'
import { attempt, edited, go, known, part, values, wrong } from './profile-form.ts'
import { draftOf, fieldsFor, isWrong } from './profile-rules.ts'

const journeyType = (): EmbedView['journeyType'] => here.session.view.value?.journeyType ?? defaultProduct

/** All fields of this journey. */
export const allFields = (): Field[] => {
  const { endUse, asksBusiness } = here.session.view.value ?? {}
  return fieldsFor(journeyType(), endUse ?? undefined, asksBusiness)
}

/** The fields of the part the borrower is at. */
export const shownFields = (): Field[] =>
  allFields().filter((field) => field.part === part.value && (field.when?.(values.value) ?? true))

const isFieldWrong = (field: Field) => isWrong(field, values.value[field.name], journeyType(), new Date())

/** Empty where the texts have words by the name of the field; those of the income speak of several digits. */
const wordsOf = (name: string): string =>
  name === 'income' && contractOf(journeyType()).leastIncomeDigits === 1 ? t('wrong.anyIncome') : ''

/** Validates one field on blur: shows an error at once, but not yet for an empty field. */
export function check({ name }: Field): void {
  const field = shownFields().find((each) => each.name === name)
  if (field && values.value[name] && isFieldWrong(field)) wrong.value = { ...wrong.value, [name]: wordsOf(name) }
}

/** Saves the valid values of all parts: one that was left by Back may have faults. Returns the refused ones. */
async function saveValid(): Promise<FieldFault[] | null> {
  const fields = allFields()
  const invalid = fields.filter(isFieldWrong)
  const sent = edited.value
  const valid = fields.filter((field) => !invalid.includes(field))
  const draft = draftOf(valid, values.value, known.value)
  const refused = draft && (await here.session.act({ method: 'PUT', path: '/profile', body: draft }))
  // Saved values are shown as the platform stores them, unless the borrower has typed meanwhile.
  if (!refused && edited.value === sent)
    edited.value = Object.fromEntries(Object.entries(sent).filter(([key]) => invalid.some(({ name }) => name === key)))
  return refused
}

/** Checks the part and saves what has changed in it. `more` are other things found wrong. False when it cannot be left. */
export async function leave(more: string[] = []): Promise<boolean> {
  const fields = shownFields()
  const faults = [...fields.filter(isFieldWrong).map(({ name }) => name), ...more]
  if (faults.length > 0) {
    refuse(Object.fromEntries(faults.map((name) => [name, wordsOf(name)])))
    return false
  }
  wrong.value = {}
  const refused = await saveValid()
  if (refused) showFaults(refused)
  return !refused
}

export async function leaveFirst(): Promise<void> {
  if (await leave()) go(1)
}

/** The part that was shown last. */
let shown = part.value
part.subscribe((to) => {
  // A screen left by Back is saved. Its invalid fields are reported when it is left forward.
  if (to !== shown && here.session.view.value?.screen === 'PROFILE') void saveValid()
  shown = to
})

/** The platform's faults in our texts, if we have some, at their part. */
export function showFaults(faults: FieldFault[]): void {
  const fields = allFields()
  const found = faults.flatMap(({ path, message }) => {
    const field = fields.find(({ name }) => name === path.split('.').at(-1))
    return field ? [{ ...field, message }] : []
  })
  if (found.length === 0) return
  const at = Math.min(...found.map((field) => field.part))
  // Input that was just refused is not saved again.
  shown = at
  if (at !== part.value) go(at)
  refuse(
    Object.fromEntries(found.map(({ name, message }) => [name, textOf(`wrong.${name}`) ? wordsOf(name) : message])),
  )
}

function refuse(next: Wrong): void {
  wrong.value = next
  attempt.value += 1
}
