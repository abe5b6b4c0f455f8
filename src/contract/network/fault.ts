// What a checked message breaks: where, what, and by which section.

export interface Fault {
  /** The JSON path inside the message or body, as `$.message.order.items[0].id`; in a transcript after the message's number and action. */
  path: string
  message: string
  /** `FIS12 §12.1 on_select`, `FIS12 §12.4.3` … */
  section: string
}

export const faultText = ({ path, message, section }: Fault): string => `${path} ${message} (${section})`
