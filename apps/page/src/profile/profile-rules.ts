// Validates profile fields, and computes the draft to save. Pure.

import { contractOf } from '@lendloom/lending/product/products'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { personPanPattern } from '@lendloom/wire/identifier'
import { productForms } from '../product/product-forms.ts'
import { businessFields } from '../product/shared-fields.ts'
import { type BirthdayFault, birthdayFault } from './date-of-birth.ts'
import { type Field, usualMaxLength, type Values } from './profile-fields.ts'

/** Normalizes input: a PAN, GSTIN or PIN code may be pasted with blanks or dashes. */
export const normalize = (name: string, text = ''): string =>
  /^pan$|^gstin$|incode$/i.test(name) ? text.replace(/[\s-]/g, '') : text.trim()

/** The characters that a text may have. */
export const maxLengthOf = ({ input }: Field): number => input?.maxLength ?? usualMaxLength

/** The highest monthly income that the form takes, in rupees: more is a slip, such as an income of a year in paise. */
const mostIncome = 10_000_000

/** Whether a required value is missing, or a value is invalid. */
export function isInvalid(field: Field, value: string | undefined, journeyType: EmbedView['journeyType'], at: Date) {
  const { name, kind, options, optional, pattern } = field
  const text = normalize(name, value)
  if (text.length > maxLengthOf(field)) return true
  if (/^-*$/.test(text)) return !optional
  if (kind === 'date') return birthdayFault(text, at) !== undefined
  if (options) return !options.includes(text)
  if (name === 'income' && Number(text) > mostIncome) return true
  const { needsPersonPan, minIncomeDigits } = contractOf(journeyType)
  const validPattern =
    name === 'income'
      ? `^[1-9]\\d{${minIncomeDigits - 1},11}$`
      : name === 'pan' && needsPersonPan
        ? personPanPattern
        : pattern
  return validPattern !== undefined && !new RegExp(validPattern).test(text)
}

/** What looks like a PAN, but its fourth letter is not that of a person. */
const otherHoldersPan = /^[a-z]{3}[^p\d][a-z](?!0000)\d{4}[a-z]$/i

type IncomeFault = 'most' | 'whole' | 'number'

/** What is wrong with a value, where the field's usual error would mislead; undefined for any other fault. */
export function faultOf(
  name: string,
  value: string | undefined,
  at: Date,
): IncomeFault | BirthdayFault | 'holder' | undefined {
  const text = normalize(name, value)
  if (name === 'pan') return otherHoldersPan.test(text) ? 'holder' : undefined
  if (name === 'dob') return birthdayFault(text, at)
  return name === 'income' && text ? incomeFault(text) : undefined
}

function incomeFault(text: string): IncomeFault | undefined {
  if (/^\d+\.\d+$/.test(text)) return 'whole'
  if (!/^-?\d+$/.test(text)) return 'number'
  return Number(text) > mostIncome ? 'most' : undefined
}

/** `1992-2-9` as typed becomes `1992-02-09`. */
const fullDate = (text: string): string => text.replace(/-(\d)(?!\d)/g, '-0$1')

type Draft = Record<string, Record<string, string | null> | string>

/**
 * The draft to save: values that differ from the stored ones. A null value clears a field, also one that the form no
 * longer shows. Returns null if nothing has changed.
 */
export function draftOf(fields: Field[], edited: Values, known: Values): Draft | null {
  const all = { ...known, ...edited }
  const groups: Partial<Record<NonNullable<Field['group']>, Record<string, string | null>>> = {}
  const topLevel: Record<string, string> = {}
  for (const { name, group, kind, when } of fields) {
    const text = when && !when(all) ? '' : normalize(name, all[name])
    const value = kind === 'date' ? fullDate(text) : text
    if (value === (known[name] ?? '')) continue
    if (group) groups[group] = { ...groups[group], [name]: value || null }
    else topLevel[name] = value
  }
  const draft = { ...topLevel, ...groups }
  return Object.keys(draft).length > 0 ? draft : null
}

export function usesFor(journeyType: EmbedView['journeyType'], chosen: string | undefined): readonly string[] {
  const { uses } = productForms[journeyType]
  return chosen && !uses.includes(chosen) ? [chosen, ...uses] : uses
}

/** All fields of all parts, the purpose last. */
export function fieldsFor(
  journeyType: EmbedView['journeyType'],
  endUse: string | undefined,
  asksBusiness = false,
): Field[] {
  const use: Field = { name: 'endUse', part: 2, kind: 'select', options: usesFor(journeyType, endUse) }
  const fields = productForms[journeyType].fields()
  const home = fields.findIndex(({ group }) => group === 'address')
  return [...fields.slice(0, home), ...(asksBusiness ? businessFields() : []), ...fields.slice(home), use]
}
