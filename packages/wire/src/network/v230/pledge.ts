// The mutual-fund units that secure the loan: the lender's requirement, and the borrower's pledge (FIS12 §7.1, §10.2).

import { invalid } from '@lendloom/foundation/refusal'
import { percentOf } from '@lendloom/lending/money'
import type { Pledge, Scheme } from '@lendloom/lending/pledge'
import { type TagGroup, type Tags, tagGroup, tagsOf } from '#wire/network/tags.ts'

const group = 'PLEDGE_REQUIREMENTS'

export const schemeTags = (schemes: readonly Scheme[]): TagGroup[] =>
  schemes.map(({ rta, amcCode, schemeCode, folioId, unitsRequired, ltv }) =>
    tagGroup(group, {
      RTA: rta,
      AMC_CODE: amcCode,
      SCHEME_CODE: schemeCode,
      FOLIO_ID: folioId,
      UNITS_REQUIRED: unitsRequired,
      LTV_PERCENT: ltv?.replace('%', ' %') ?? null,
    }),
  )

/** The pledged units in an order of a lender with stops (FIS12 §27.3). */
export const portfolioTags = (schemes: readonly Scheme[]): TagGroup[] =>
  schemes.map(({ rta, amcCode, schemeCode, folioId, unitsRequired }) =>
    tagGroup(
      'PLEDGED_PORTFOLIO',
      { RTA: rta, AMC_CODE: amcCode, SCHEME_CODE: schemeCode, FOLIO_ID: folioId, UNITS_PLEDGED: unitsRequired },
      { name: 'Pledged Portfolio' },
    ),
  )

export const pledgeTags = (pledges: readonly Pledge[]): TagGroup[] =>
  pledges.map(({ schemeCode, units }) => tagGroup(group, { SCHEME_CODE: schemeCode, UNITS_PLEDGED: units }))

/** Returns the schemes of an item. Throws `invalid` for a scheme without code or units. */
export const schemesOf = (tags: readonly TagGroup[] | undefined, path: string): Scheme[] =>
  groupsOf(tags).map((tag) => ({
    rta: tag.RTA ?? null,
    amcCode: tag.AMC_CODE ?? null,
    schemeCode: codeOf(tag, path),
    folioId: tag.FOLIO_ID ?? null,
    unitsRequired: unitsOf(tag, 'UNITS_REQUIRED', path),
    ltv: tag.LTV_PERCENT === undefined ? null : percentOf(tag.LTV_PERCENT),
  }))

/** Reads the pledge in select, init and confirm (the lender's side). Throws `invalid` if it is unreadable. */
export const pledgesOf = (tags: readonly TagGroup[] | undefined, path: string): Pledge[] =>
  groupsOf(tags).map((tag) => ({ schemeCode: codeOf(tag, path), units: unitsOf(tag, 'UNITS_PLEDGED', path) }))

const groupsOf = (tags: readonly TagGroup[] = []): Tags[] =>
  tags.map((tag) => tagsOf([tag], group)).filter((tag) => tag !== null)

function codeOf(tag: Tags, path: string): string {
  if (!tag.SCHEME_CODE) throw invalid({ path: `${path}.${group}.SCHEME_CODE`, message: 'is required' })
  return tag.SCHEME_CODE
}

function unitsOf(tag: Tags, code: string, path: string): string {
  const units = tag[code]?.replaceAll(',', '') ?? ''
  if (!/^\d{1,15}(?:\.\d{1,6})?$/.test(units))
    throw invalid({ path: `${path}.${group}.${code}`, message: 'must be a number of units' })
  return units
}
