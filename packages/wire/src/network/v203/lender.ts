// Writes and reads a lender's identity, contacts and gold branches (FIS12 §7.1, §7.9, §9.1).

import { fits, type Static } from '@lendloom/foundation/schema'
import type { Agent, Branch, Lender, LenderContact, Point, ServiceProvider } from '@lendloom/lending/lender'
import { omitUndefined } from '#wire/network/context.ts'
import { type TagGroup, tagGroup, tagsOf } from '#wire/network/tags.ts'
import { type Order, type Provider, Stops } from './schema.ts'

const contactTags = (contact: LenderContact): TagGroup =>
  tagGroup('CONTACT_INFO', {
    GRO_NAME: contact.groName,
    GRO_EMAIL: contact.groEmail,
    GRO_CONTACT_NUMBER: contact.groContactNumber,
    GRO_DESIGNATION: contact.groDesignation,
    GRO_ADDRESS: contact.groAddress,
    CUSTOMER_SUPPORT_LINK: contact.customerSupportLink,
    CUSTOMER_SUPPORT_CONTACT_NUMBER: contact.customerSupportContactNumber,
    CUSTOMER_SUPPORT_EMAIL: contact.customerSupportEmail,
  })

const serviceProviderTags = (lsp: ServiceProvider): TagGroup =>
  tagGroup('LSP_INFO', {
    LSP_NAME: lsp.name,
    LSP_EMAIL: lsp.email,
    LSP_CONTACT_NUMBER: lsp.contactNumber,
    LSP_ADDRESS: lsp.address,
  })

/** Writes `provider`, without the parts that only a catalogue has. */
export function providerOf(lender: Lender) {
  return {
    id: lender.providerId,
    descriptor: omitUndefined({
      name: lender.name,
      short_desc: lender.shortDescription ?? undefined,
      long_desc: lender.longDescription ?? undefined,
      images: lender.logoUrl === null ? undefined : [{ url: lender.logoUrl, size_type: 'sm' }],
    }),
    tags: [contactTags(lender.contact), serviceProviderTags(lender.serviceProvider)],
  }
}

/** Reads a provider; null if the provider has no name, as in a shortened order. */
export function lenderOf(provider: Static<typeof Provider>): Lender | null {
  const { descriptor } = provider
  return descriptor?.name
    ? catalogLenderOf({ ...provider, descriptor: { ...descriptor, name: descriptor.name } })
    : null
}

type NamedProvider = Static<typeof Provider> & { descriptor: { name: string } }

/** Reads a provider that has a name, as every provider of a catalogue. */
export function catalogLenderOf(provider: NamedProvider): Lender {
  const { descriptor } = provider
  const contact = tagsOf(provider.tags, 'CONTACT_INFO') ?? {}
  const lsp = tagsOf(provider.tags, 'LSP_INFO') ?? {}
  return {
    providerId: provider.id,
    name: descriptor.name,
    shortDescription: descriptor.short_desc || null,
    longDescription: descriptor.long_desc || null,
    logoUrl: descriptor.images?.find(({ url }) => url)?.url ?? null,
    contact: {
      groName: contact.GRO_NAME ?? null,
      groEmail: contact.GRO_EMAIL ?? null,
      groContactNumber: contact.GRO_CONTACT_NUMBER ?? null,
      groDesignation: contact.GRO_DESIGNATION ?? null,
      groAddress: contact.GRO_ADDRESS ?? null,
      customerSupportLink: contact.CUSTOMER_SUPPORT_LINK ?? null,
      customerSupportContactNumber: contact.CUSTOMER_SUPPORT_CONTACT_NUMBER ?? null,
      customerSupportEmail: contact.CUSTOMER_SUPPORT_EMAIL ?? null,
    },
    serviceProvider: {
      name: lsp.LSP_NAME ?? null,
      email: lsp.LSP_EMAIL ?? null,
      contactNumber: lsp.LSP_CONTACT_NUMBER ?? null,
      address: lsp.LSP_ADDRESS ?? null,
    },
  }
}

/** Writes a branch as a location of the provider. */
export const locationOf = ({ id, name, address, pincode, at }: Branch) =>
  omitUndefined({
    id,
    gps: at === null ? undefined : `${at.latitude}, ${at.longitude}`,
    descriptor: name === null ? undefined : { name },
    address: address ?? undefined,
    area_code: pincode ?? undefined,
  })

/** A provider's branches that have an address or coordinates. */
export const branchesOf = ({ locations = [] }: Static<typeof Provider>): Branch[] =>
  locations
    .map(({ id, gps, descriptor, address, area_code: pincode }) => ({
      id,
      name: descriptor?.name || null,
      address: address || null,
      pincode: pincode || null,
      at: pointOf(gps),
    }))
    .filter(({ address, at }) => address !== null || at !== null)

function pointOf(gps: string | undefined): Point | null {
  const [, latitude, longitude] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(gps ?? '') ?? []
  const point = { latitude: Number(latitude), longitude: Number(longitude) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : null
}

/** Writes the borrower's contact at the chosen branch. */
export const fulfillmentAgentOf = ({ name, phone }: Agent) =>
  omitUndefined({
    person: name === null ? undefined : { name },
    contact: phone === null ? undefined : { phone },
  })

/** Reads the start of the booked visit; null without one that is a time. */
export function visitAtOf({ fulfillments = [] }: Order): Date | null {
  const times = fulfillments.flatMap(({ stops }) => (fits(Stops, stops) ? stops.map(({ time }) => time) : []))
  const starts = times.map((time) => time?.range?.start ?? time?.timestamp)
  const [start] = starts.flatMap((text) => (text === undefined || Number.isNaN(Date.parse(text)) ? [] : new Date(text)))
  return start ?? null
}

/** Reads the borrower's contact at the chosen branch. */
export function agentOf({ fulfillments }: Order): Agent | null {
  const agent = fulfillments?.find((each) => each.agent)?.agent
  return agent ? { name: agent.person?.name || null, phone: agent.contact?.phone || null } : null
}
