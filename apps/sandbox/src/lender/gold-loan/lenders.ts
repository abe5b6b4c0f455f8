// The lenders that offer gold loans, their terms, and their branches. All addresses are fictional.
import { ownValue } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'

export interface GoldBranch {
  id: string
  name: string
  address: string
  city: string
  pincode: string
  at: { latitude: number; longitude: number }
  agent: { name: string; phone: string }
}

/** Overrides of the lender's policy for gold loans. */
export interface GoldLending
  extends Pick<
    LenderPolicy,
    'assessment' | 'ages' | 'amounts' | 'tenuresMonths' | 'rates' | 'fee' | 'unservedPincodes'
  > {
  minMilligrams: bigint
  branches: GoldBranch[]
}

/** The regulator's limit per borrower: one kilogram of ornaments. */
export const maxMilligrams = 1_000_000n

const lakh = 100_000_00n
const thousand = 1_000_00n

const lendingBySlug: Record<string, GoldLending> = {
  meridian: {
    assessment: 'bureau',
    ages: { from: 18, until: 70 },
    amounts: { from: 10n * thousand, to: 20n * lakh, step: 100n },
    tenuresMonths: [3, 6, 12],
    rates: [{ fromIncome: 0n, annualBps: 1200n }],
    fee: { bps: 50n, minimum: 200_00n, maximum: 3n * thousand },
    unservedPincodes: [],
    minMilligrams: 2_000n,
    branches: [
      {
        id: 'MERIDIAN-MUMBAI',
        name: 'Fort',
        address: '7 Fort Road, Mumbai',
        city: 'Mumbai',
        pincode: '400001',
        at: { latitude: 18.9388, longitude: 72.8354 },
        agent: { name: 'Nisha Rao', phone: '+91-9820010001' },
      },
      {
        id: 'MERIDIAN-PUNE',
        name: 'Camp',
        address: '3 Moledina Road, Pune',
        city: 'Pune',
        pincode: '411001',
        at: { latitude: 18.5158, longitude: 73.8777 },
        agent: { name: 'Sunil More', phone: '+91-9820010002' },
      },
      {
        id: 'MERIDIAN-NAGPUR',
        name: 'Sitabuldi',
        address: '18 Central Avenue, Nagpur',
        city: 'Nagpur',
        pincode: '440012',
        at: { latitude: 21.1458, longitude: 79.0882 },
        agent: { name: 'Vidya Bhagat', phone: '+91-9820010003' },
      },
    ],
  },
  kaveri: {
    assessment: 'bureau',
    ages: { from: 21, until: 70 },
    amounts: { from: 25n * thousand, to: 10n * lakh, step: 100n },
    tenuresMonths: [6, 12, 24],
    rates: [{ fromIncome: 0n, annualBps: 950n }],
    fee: { bps: 25n, minimum: 500_00n, maximum: 2n * thousand },
    unservedPincodes: ['79'],
    minMilligrams: 5_000n,
    branches: [
      {
        id: 'KAVERI-BENGALURU',
        name: 'Mission Street',
        address: '22 Mission Street, Bengaluru',
        city: 'Bengaluru',
        pincode: '560027',
        at: { latitude: 12.9629, longitude: 77.5936 },
        agent: { name: 'Anita Gowda', phone: '+91-9845020001' },
      },
      {
        id: 'KAVERI-CHENNAI',
        name: 'Mylapore',
        address: '41 Luz Church Road, Chennai',
        city: 'Chennai',
        pincode: '600004',
        at: { latitude: 13.0339, longitude: 80.2619 },
        agent: { name: 'Karthik Raman', phone: '+91-9845020002' },
      },
    ],
  },
  sahyadri: {
    assessment: 'bureau',
    ages: { from: 18, until: 75 },
    amounts: { from: 5n * thousand, to: 5n * lakh, step: 100n },
    tenuresMonths: [3, 6, 9, 12],
    rates: [{ fromIncome: 0n, annualBps: 1500n }],
    fee: { bps: 100n, minimum: 100_00n, maximum: 5n * thousand },
    unservedPincodes: ['19'],
    minMilligrams: 1_000n,
    branches: [
      {
        id: 'SAHYADRI-PUNE',
        name: 'Deccan Gymkhana',
        address: '3 Deccan Gymkhana, Pune',
        city: 'Pune',
        pincode: '411004',
        at: { latitude: 18.5165, longitude: 73.8413 },
        agent: { name: 'Rohit Kale', phone: '+91-9822030001' },
      },
      {
        id: 'SAHYADRI-NASHIK',
        name: 'College Road',
        address: '12 College Road, Nashik',
        city: 'Nashik',
        pincode: '422005',
        at: { latitude: 19.9975, longitude: 73.7898 },
        agent: { name: 'Priya Deshmukh', phone: '+91-9822030002' },
      },
      {
        id: 'SAHYADRI-SATARA',
        name: 'Powai Naka',
        address: '5 Powai Naka, Satara',
        city: 'Satara',
        pincode: '415001',
        at: { latitude: 17.6805, longitude: 74.0183 },
        agent: { name: 'Amol Jadhav', phone: '+91-9822030003' },
      },
      {
        id: 'SAHYADRI-KOLHAPUR',
        name: 'Rajarampuri',
        address: '9 Rajarampuri, Kolhapur',
        city: 'Kolhapur',
        pincode: '416008',
        at: { latitude: 16.6956, longitude: 74.2317 },
        agent: { name: 'Sneha Patil', phone: '+91-9822030004' },
      },
    ],
  },
  narmada: {
    assessment: 'account-aggregator',
    ages: { from: 21, until: 68 },
    amounts: { from: 15n * thousand, to: 15n * lakh, step: 100n },
    tenuresMonths: [6, 12, 18],
    rates: [{ fromIncome: 0n, annualBps: 1050n }],
    fee: { bps: 40n, minimum: 250_00n, maximum: 2_500_00n },
    unservedPincodes: [],
    minMilligrams: 3_000n,
    branches: [
      {
        id: 'NARMADA-BHOPAL',
        name: 'Arera Colony',
        address: '5 Arera Colony, Bhopal',
        city: 'Bhopal',
        pincode: '462016',
        at: { latitude: 23.2156, longitude: 77.4304 },
        agent: { name: 'Imran Qureshi', phone: '+91-9893040001' },
      },
      {
        id: 'NARMADA-INDORE',
        name: 'Palasia',
        address: '27 Mahatma Gandhi Road, Indore',
        city: 'Indore',
        pincode: '452001',
        at: { latitude: 22.7239, longitude: 75.8877 },
        agent: { name: 'Ritu Malviya', phone: '+91-9893040002' },
      },
    ],
  },
}

/** A lender's terms for gold loans; null when it offers none. */
export const goldLendingOf = (slug: string): GoldLending | null => ownValue(lendingBySlug, slug) ?? null

/** A lender's terms for gold loans. Throws when it offers none. */
export const requireGoldLending = (slug: string): GoldLending =>
  required(goldLendingOf(slug), `lending on gold by ${slug}`)
