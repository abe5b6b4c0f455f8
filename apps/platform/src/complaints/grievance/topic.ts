// Complaint topics and their network codes (FIS12 §20).
import { type GrievanceTopic, grievanceTopics } from '@lendloom/wire/hosted/embed-grievance'

export type Topic = GrievanceTopic
export const topics = grievanceTopics

/** The network defines no sub-categories for loans, so these are our choice. GRIEVANCE_CODES may override them. */
const defaultCodes: Record<Topic, string> = {
  CHARGES: 'PAYMENT/PMT01',
  REPAYMENT: 'PAYMENT/PMT02',
  MONEY: 'FULFILLMENT/FLM01',
  DOCUMENTS: 'ORDER/ORD01',
  CONDUCT: 'ORDER/ORD02',
  OTHER: 'ORDER/ORD03',
}

export function codesOf(
  topic: Topic,
  configured: Partial<Record<Topic, string>>,
): { category: string; subCategory: string } {
  const [category = '', subCategory = ''] = (configured[topic] ?? defaultCodes[topic]).split('/')
  return { category, subCategory }
}
