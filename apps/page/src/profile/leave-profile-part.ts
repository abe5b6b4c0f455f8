// Validates and saves a part of the profile when the borrower leaves it, and shows errors at their fields.

import { contractOf, defaultProduct } from '@lendloom/lending/product/products'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { FieldFault } from '../page/api.ts'
import type { FieldErrors } from '../page/field-errors.ts'
import { day } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import type { Field } from './profile-fields.ts'
import { attempt, errors, input, openPart, part, stored, values } from './profile-form.ts'
import { draftOf, faultOf, fieldsFor, isInvalid, maxLengthOf, normalize } from './profile-rules.ts'
import { inputToKeep } from './refused-input.ts'

const journeyType = (): EmbedView['journeyType'] => page.session.view.value?.journeyType ?? defaultProduct

/** All fields of the profile for this kind of loan. */
export const allFields = (): Field[] => {
  const { endUse, asksBusiness } = page.session.view.value ?? {}
  return fieldsFor(journeyType(), endUse ?? undefined, asksBusiness).map(withStoredOption)
}

/** An app may have spelt the state in its own way. */
function withStoredOption(field: Field): Field {
  const known = stored.value[field.name]
  if (field.kind !== 'select' || !known || field.options.includes(known)) return field
  return { ...field, options: [known, ...field.options] }
}

/** What the form says first: about the last application, if it expired or lenders ended it, or who filled it in; else empty. */
export function formLead(): string {
  const { lastApplication: last, prefilled, hostName } = page.session.view.value ?? {}
  if (!last) return prefilled && hostName ? t('profile.prefilled', { host: hostName }) : ''
  if (last.expired) return t('profile.expired', { date: day(last.endedAt) })
  return last.lender ? t('profile.refused', { lender: last.lender }) : t('profile.noOffer', { date: day(last.endedAt) })
}

/** The visible fields of the current part. */
export const shownFields = (): Field[] =>
  allFields().filter((field) => field.part === part.value && (field.when?.(values.value) ?? true))

const isFieldWrong = (field: Field) => isInvalid(field, values.value[field.name], journeyType(), new Date())

/** Error text of a field; empty for the catalogue's. The catalogue's text for the income requires several digits. */
function errorTextOf(name: string): string {
  const field = allFields().find((each) => each.name === name)
  const isLong = field && normalize(name, values.value[name]).length > maxLengthOf(field)
  if (isLong) return t('wrong.long', { most: `${maxLengthOf(field)}` })
  const fault = faultOf(name, values.value[name], new Date())
  if (fault) return textOf(`wrong.${name}.${fault}`)
  return name === 'income' && contractOf(journeyType()).minIncomeDigits === 1
    ? t('wrong.anyIncome')
    : textOf(`wrong.${name}.${values.value.employmentType}`)
}

/** Validates a field on blur; empty fields are validated only on submission. */
export function check({ name }: Field): void {
  const field = shownFields().find((each) => each.name === name)
  if (field && values.value[name] && isFieldWrong(field)) errors.value = { ...errors.value, [name]: errorTextOf(name) }
}

/** The request that saves the valid values of all parts, because a part left by Back may have errors; null for none. */
function draftRequest() {
  const valid = allFields().filter((field) => !isFieldWrong(field))
  const body = draftOf(valid, values.value, stored.value)
  return body && { method: 'PUT' as const, path: '/profile', body }
}

/** Saves the valid values of all parts. Returns the platform's errors. */
async function saveValid(): Promise<FieldFault[] | null> {
  const invalid = allFields().filter(isFieldWrong)
  const submitted = input.value
  const request = draftRequest()
  const faults = request && (await page.session.act(request))
  // Saved input is dropped in favour of the stored values, unless the borrower has typed meanwhile.
  if (!faults && input.value === submitted)
    input.value = Object.fromEntries(
      Object.entries(submitted).filter(([key]) => invalid.some(({ name }) => name === key)),
    )
  return faults
}

/** Validates and saves the current part. Returns whether it may be left, which `otherErrors` prevent too. */
export async function leavePart(otherErrors: FieldErrors = {}): Promise<boolean> {
  const invalid = shownFields().filter(isFieldWrong)
  const fieldErrors = Object.fromEntries(invalid.map(({ name }) => [name, errorTextOf(name)]))
  errors.value = { ...fieldErrors, ...otherErrors }
  keepRefused()
  if (Object.keys(errors.value).length > 0) {
    attempt.value += 1
    return false
  }
  const faults = await saveValid()
  if (faults) showFaults(faults)
  return !faults
}

/** Keeps what is wrong, and therefore not saved, such as half a PAN, so that the borrower can correct it after a reload. */
function keepRefused(): void {
  const refused = allFields().filter(isFieldWrong)
  const typed = Object.fromEntries(refused.map(({ name }) => [name, input.value[name]]))
  const refusedInput = inputToKeep(typed, page.memory.stored)
  if (refusedInput) page.memory.update({ refusedInput })
}

/** Shows again what was wrong before a reload, with its errors once the fields are known. */
function restoreRefused(): void {
  const { refusedInput = {} } = page.memory.stored
  if (Object.keys(refusedInput).length === 0) return
  input.value = { ...refusedInput, ...input.value }
  const stop = page.session.view.subscribe((view) => {
    if (view?.screen !== 'PROFILE') return
    queueMicrotask(() => stop())
    const wrong = allFields().filter((field) => refusedInput[field.name] && isFieldWrong(field))
    errors.value = { ...errors.value, ...Object.fromEntries(wrong.map(({ name }) => [name, errorTextOf(name)])) }
  })
}

/** Saves the first part, and shows the second one if it may be left. */
export async function openSecondPart(): Promise<void> {
  if (await leavePart()) openPart(1)
}

restoreRefused()

/** A browser ignores what a page keeps while it is left, and allows only some changes of its history a second. */
const keepAfterMs = 400
let keepTimer: ReturnType<typeof setTimeout> | undefined
input.subscribe(() => {
  clearTimeout(keepTimer)
  if (page.session.view.value?.screen === 'PROFILE') keepTimer = setTimeout(keepRefused, keepAfterMs)
})

let previousPart = part.value
part.subscribe((next) => {
  // Saves a part left by Back; its errors are shown only when the borrower continues.
  if (next !== previousPart && page.session.view.value?.screen === 'PROFILE') {
    keepRefused()
    void saveValid()
  }
  previousPart = next
})

let leftInput = input.value

/** Saves what was typed when the borrower leaves or reloads the page; a second event of one leave saves nothing. */
function saveOnLeaving(): void {
  const { view, busy } = page.session
  if (view.value?.screen !== 'PROFILE' || busy.value || input.value === leftInput) return
  leftInput = input.value
  const request = draftRequest()
  if (request) page.session.saveOnLeaving(request)
}

addEventListener('pagehide', saveOnLeaving)
document.addEventListener('visibilitychange', () => {
  if (document.hidden) saveOnLeaving()
})

/** Shows the platform's errors at their fields, in our texts if available, and opens the first part that has one. */
export function showFaults(faults: FieldFault[]): void {
  const fields = allFields()
  const fieldFaults = faults.flatMap(({ path, message }) => {
    const field = fields.find(({ name }) => name === path.split('.').at(-1))
    return field ? [{ ...field, message }] : []
  })
  if (!fieldFaults[0]) return
  const firstPart = Math.min(...fieldFaults.map((field) => field.part))
  // Prevents the subscription above from saving the rejected input again.
  previousPart = firstPart
  if (firstPart !== part.value) openPart(firstPart)
  errors.value = Object.fromEntries(
    fieldFaults.map(({ name, message }) => [name, textOf(`wrong.${name}`) ? errorTextOf(name) : message]),
  )
  attempt.value += 1
}
