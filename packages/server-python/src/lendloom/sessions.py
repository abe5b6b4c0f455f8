"""Types of a session request; generated from the schemas by npm run client; do not edit."""

from __future__ import annotations

from typing import Literal, Optional, TypedDict, Union


class SessionRequestWorkProfileMayHave(TypedDict, total=False):
    """Optional fields of SessionRequestWorkProfile."""

    officialemail: str
    employmentType: str
    income: Union[str, int]
    companyName: str
    udyamNumber: Optional[str]
    businessConstitution: Optional[Literal["proprietorship", "partnership", "limitedLiabilityPartnership", "privateLimited", "hinduUndividedFamily", "profession", "other"]]
    industry: Optional[Literal["retail", "wholesale", "manufacturing", "food", "transport", "construction", "agriculture", "health", "education", "professionalServices", "otherServices"]]
    gstin: Optional[str]
    annualTurnover: Optional[Union[str, int]]
    businessAddressL1: Optional[str]
    businessAddressL2: Optional[str]
    businessCity: Optional[str]
    businessState: Optional[str]
    businessPincode: Optional[str]


class SessionRequestWorkProfile(SessionRequestWorkProfileMayHave):
    """The field workProfile of SessionRequest."""


class SessionRequestAddressMayHave(TypedDict, total=False):
    """Optional fields of SessionRequestAddress."""

    addressL1: str
    addressL2: str
    city: str
    state: str
    pincode: str


class SessionRequestAddress(SessionRequestAddressMayHave):
    """The field address of SessionRequest."""


class SessionRequestGoldLoanMayHave(TypedDict, total=False):
    """Optional fields of SessionRequestGoldLoan."""

    userType: Literal["individual", "non-individual"]
    constitution: Optional[str]
    jewelleryWeightGrams: Union[str, float]
    purity: Literal["24K", "22K", "21K", "18K", "14K", "9K"]
    endUse: Literal["marriage", "familyFunctions", "medicalTreatmentAndEmergencies", "travelEducationExpenses", "businessExpansion", "agricultureAndFarmRelatedNeeds", "purchaseOfEquipment", "consumerDurablePurchase", "education", "travel", "health", "other"]
    bureauConsent: bool
    aaID: str
    requestedAmount: Union[str, float]
    requestedTenureMonths: Union[str, int]


class SessionRequestGoldLoan(SessionRequestGoldLoanMayHave):
    """The field goldLoan of SessionRequest."""


class SessionRequestProfileMayHave(TypedDict, total=False):
    """Optional fields of SessionRequestProfile."""

    pan: str
    panName: str
    dob: str
    gender: str
    personalemail: str


class SessionRequestProfile(SessionRequestProfileMayHave):
    """The field profile of SessionRequest."""

    contactNumber: str


class SessionRequestMayHave(TypedDict, total=False):
    """Optional fields of SessionRequest."""

    journeyType: Literal["PERSONAL_LOAN", "GOLD_LOAN"]
    workProfile: SessionRequestWorkProfile
    address: SessionRequestAddress
    goldLoan: SessionRequestGoldLoan
    callbackUrl: str
    returnUrl: str


class SessionRequest(SessionRequestMayHave):
    """The body of POST /api/lab/sessions (D1 §2.1)."""

    borrowerProviderID: str
    profile: SessionRequestProfile
