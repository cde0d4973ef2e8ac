"""The base of everything on the wire, and the types of its fields."""

from typing import Annotated, Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

MAX_NOTE: Final = 400
"""Characters of a note; what is longer is cut."""
MAX_FAULT_TEXT: Final = 300
"""Characters of a fault's text, before escaping."""

DEFERRED = ConfigDict(defer_build=True)
"""For type adapters: built when first used."""


class Model(BaseModel):
    """A frozen value of the wire; a field that it does not know is refused."""

    # Built when first used: a command needs a few of the models, and starts sooner.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def wire(self) -> str:
        """Return the value as compact ASCII JSON, keys in the order declared."""
        return self.model_dump_json(ensure_ascii=True)


def is_absent(value: object) -> bool:
    """Tell whether an optional field is left out of the line."""
    return value is None


def optional(**constraints: Any) -> Any:
    """Return a field that is absent from the line when it is ``None``."""
    return Field(default=None, exclude_if=is_absent, **constraints)


Int31: TypeAlias = Annotated[int, Field(ge=0, lt=2**31)]
"""Every number on the wire: an integer below 2^31 (protocol page, section 1)."""
Ms: TypeAlias = Int31
SeatNo: TypeAlias = Annotated[int, Field(ge=0, le=2)]
CardName: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[6-9TJQKA][CDHS]$")]
BidName: TypeAlias = Annotated[
    str, StringConstraints(pattern=r"^([4-9]|1[0-2])([CDHS]|SS|NT)$")
]
Call: TypeAlias = Annotated[
    str, StringConstraints(pattern=r"^(pass|([4-9]|1[0-2])([CDHS]|SS|NT))$")
]
"""A bid, or ``pass``."""
PartnerChoice: TypeAlias = (
    Annotated[str, StringConstraints(pattern=r"^alone$")] | SeatNo
)
NoteText: TypeAlias = Annotated[str, StringConstraints(max_length=MAX_NOTE)]
FaultText: TypeAlias = Annotated[str, StringConstraints(max_length=MAX_FAULT_TEXT)]
Three: TypeAlias = Annotated[list[int], Field(min_length=3, max_length=3)]
"""One number a seat."""
