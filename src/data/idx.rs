//! The IDX format of the MNIST family: `00 00 type rank`, big-endian dimensions, then the elements.
//! Source: Yann `LeCun`'s page on the MNIST database, "File formats for the MNIST database".

use std::fmt;
use std::io::Read;

use flate2::read::MultiGzDecoder;

/// Rank and element count of no file of this family come near these; a damaged header would ask for more.
const MAX_RANK: u8 = 4;
const MAX_BYTES: u64 = 4 << 30;

/// An array of bytes with its dimensions, outermost first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idx {
    /// The dimensions.
    pub shape: Vec<usize>,
    /// The elements, last dimension fastest.
    pub data: Vec<u8>,
}

/// Why bytes are not an IDX array of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdxError {
    /// The first two bytes are not zero.
    NotIdx,
    /// An element type other than unsigned byte (8).
    ElementType(u8),
    /// Another number of dimensions than the caller asked for.
    Rank {
        /// Dimensions in the header.
        found: u8,
        /// Dimensions asked for.
        wanted: u8,
    },
    /// Fewer bytes than the header promises.
    Truncated {
        /// Bytes promised.
        wanted: u64,
        /// Bytes there.
        found: u64,
    },
    /// More bytes than the header promises.
    TooLong {
        /// Bytes promised.
        wanted: u64,
    },
    /// More than 4 GiB promised.
    TooLarge,
    /// The gzip stream is damaged.
    Gzip(String),
}

impl fmt::Display for IdxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotIdx => write!(f, "this is not an IDX file (it does not begin with two zero bytes)"),
            Self::ElementType(code) => {
                write!(f, "its elements have IDX type 0x{code:02x}; only unsigned bytes (0x08) are read")
            }
            Self::Rank { found, wanted } => {
                let (is, asked) = (kind(*found), kind(*wanted));
                write!(f, "it holds {found} dimensions ({is}) where {wanted} ({asked}) are needed")
            }
            Self::Truncated { wanted, found } => {
                write!(f, "it is cut short: {wanted} bytes of data are promised, {found} are there")
            }
            Self::TooLong { wanted } => write!(f, "it goes on after the {wanted} bytes of data that it promises"),
            Self::TooLarge => write!(f, "it promises more than 4 GiB of data; its header is damaged"),
            Self::Gzip(reason) => write!(f, "its gzip stream is damaged or cut short ({reason})"),
        }
    }
}

fn kind(rank: u8) -> &'static str {
    match rank {
        1 => "labels",
        3 => "images",
        _ => "neither images nor labels",
    }
}

impl Idx {
    /// Reads an IDX array of unsigned bytes with `rank` dimensions, gzipped or not (told by its first bytes).
    ///
    /// # Errors
    /// See [`IdxError`]. Memory stays within what is really there, whatever the header promises.
    pub fn parse(bytes: &[u8], rank: u8) -> Result<Self, IdxError> {
        if bytes.starts_with(&[0x1f, 0x8b]) {
            let mut plain = Vec::new();
            // One byte past the limit tells "too large" from "just fits".
            let read = MultiGzDecoder::new(bytes).take(MAX_BYTES + 1).read_to_end(&mut plain);
            read.map_err(|error| IdxError::Gzip(error.to_string()))?;
            return Self::parse_plain(&plain, rank);
        }
        Self::parse_plain(bytes, rank)
    }

    fn parse_plain(bytes: &[u8], wanted_rank: u8) -> Result<Self, IdxError> {
        let [0, 0, element, rank, rest @ ..] = bytes else { return Err(IdxError::NotIdx) };
        if *element != 8 {
            return Err(IdxError::ElementType(*element));
        }
        if *rank != wanted_rank || *rank > MAX_RANK {
            return Err(IdxError::Rank { found: *rank, wanted: wanted_rank });
        }
        let header = usize::from(*rank) * 4;
        let Some((dimensions, data)) = rest.split_at_checked(header) else {
            return Err(IdxError::Truncated { wanted: header as u64, found: rest.len() as u64 });
        };
        let shape: Vec<usize> = dimensions
            .chunks_exact(4)
            .map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]]) as usize)
            .collect();
        let wanted = shape.iter().try_fold(1_u64, |product, &size| product.checked_mul(size as u64));
        let wanted = wanted.filter(|&bytes| bytes <= MAX_BYTES).ok_or(IdxError::TooLarge)?;
        let found = data.len() as u64;
        if found < wanted {
            return Err(IdxError::Truncated { wanted, found });
        }
        if found > wanted {
            return Err(IdxError::TooLong { wanted });
        }
        Ok(Self { shape, data: data.to_vec() })
    }
}
