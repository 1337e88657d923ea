package planted;

class HeirTwoTest extends ContractBase {}
