// The words of a complaint as people of the console read them before they are revealed: without addresses, mobile numbers and PANs.

const personal =
  /[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+\.[^\s@<>"'(),:;.]+|(?<![\w-])[A-Z]{5}\d{4}[A-Z](?![\w-])|(?<![\d-])(?:\+?91[\s-]?)?[6-9]\d{4}[\s-]?\d{5}(?![\d-])/gi

export const maskedWords = (text: string): string => text.replace(personal, '•••••')
